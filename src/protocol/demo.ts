/** The conversation of the demo agent, which tells nothing of anybody's own agents. */
export const DEMO = 'demo'
