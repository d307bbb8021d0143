/** The number of the format of `link.ts`. In a file of its own: `parley stdio` loads no schemas. */
export const LINK_FORMAT = 1

/** So often a hub lets its lines hear that it runs. */
export const BEAT_MS = 2000

/** How HTTP over the socket shows that it is the owner of the folder who asks. */
export const OWNER_HEADER = 'x-parley-owner'
