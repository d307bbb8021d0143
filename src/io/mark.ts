/** In the environment of a process and of what it starts: whose it is. What has it empty belongs to nobody. */
export const MARK = 'PARLEY_DRIVEN_BY'
