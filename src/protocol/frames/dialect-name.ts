/** The dialect of our own page. */
export const TIMELINE = 'timeline'
