/**
 * The variable in the environment of a process and of what it starts that says whose it is. Processes that have it
 * empty belong to nobody.
 */
export const MARK = 'PARLEY_DRIVEN_BY'
