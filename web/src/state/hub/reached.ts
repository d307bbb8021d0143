/** A part of the page that comes from the hub; nothing where the hub has just gone. */
export async function reached<Part>(coming: Promise<Part>): Promise<Part | undefined> {
  try {
    return await coming
  } catch (error) {
    if (!isUnreached(error)) throw error
    return undefined
  }
}

/** A browser's error for a script that did not come, and the build's for a style. */
function isUnreached(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
}
