/** Whether one version is newer than another; versions that are no numbers are as old as can be. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [numbers(one), numbers(other)]
  const place = a.findIndex((number, n) => number !== b[n])
  return place !== -1 && (a[place] ?? 0) > (b[place] ?? 0)
}

function numbers(version: string): number[] {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [version, 0, 0, 0]
  return parts.map(Number)
}
