/** Makes something of an error of this kind; every other one is thrown. */
export function ifError<Kind extends Error, Other>(
  kind: abstract new (...args: never[]) => Kind,
  made: (error: Kind) => Other,
): (error: unknown) => Other {
  return (error) => {
    if (error instanceof kind) return made(error)
    throw error
  }
}
