/** The page's composer is open at any time, or only while an agent asks. */
export const COMPOSERS = ['always', 'when-asked'] as const
export type Composer = (typeof COMPOSERS)[number]
