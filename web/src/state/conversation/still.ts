/** Longer than the pause between two clicks of one who clicks twice, and than it takes to see that something changed. */
export const STILL_MS = 600
