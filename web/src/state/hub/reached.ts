/** A part of the page that comes from the hub; nothing where the hub has just gone. */
export async function reached<Part>(coming: Promise<Part>): Promise<Part | undefined> {
  try {
    return await coming
  } catch (error) {
    if (!isUnreached(error)) throw error
    return undefined
  }
}

/** What a browser says of a script that did not come, and the build of a style. */
function isUnreached(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
}
