/** The number of the format of `link.ts`. In a file of its own: `parley stdio` loads no schemas. */
export const LINK_FORMAT = 1

/** The interval at which a hub shows its lines that it runs. */
export const BEAT_MS = 2000

/** How HTTP over the socket shows that it is the owner of the folder who asks. */
export const OWNER_HEADER = 'x-parley-owner'
