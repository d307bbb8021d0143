/** The paths that fit, the best first: by the beginning of the name, by the name, by the path, by its letters in order. */
export function ranked(paths: string[], query: string): string[] {
  const wanted = query.toLowerCase()
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < NONE)
    .sort(
      (one, other) => one.rank - other.rank || one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
    )
    .map(({ path }) => path)
}

const NONE = 4

function rankOf(path: string, wanted: string): number {
  const place = path.slice(path.lastIndexOf('/') + 1).indexOf(wanted)
  if (place >= 0) return place === 0 ? 0 : 1
  if (path.includes(wanted)) return 2
  let from = 0
  for (const letter of wanted) {
    from = path.indexOf(letter, from) + 1
    if (from === 0) return NONE
  }
  return 3
}
