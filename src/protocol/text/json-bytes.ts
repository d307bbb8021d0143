/**
 * What a value takes as JSON, but for what must be escaped in its texts: to write megabytes only to know how many they
 * are would hold up everybody else.
 */
export function jsonBytes(value: unknown): number {
  let bytes = 0
  // No recursion, as nobody knows how deep the values of others are.
  const left = [value]
  while (left.length > 0) bytes += bytesOf(left.pop(), left)
  return bytes
}

/** The bytes of a value without what is in it, which is `left` to be counted. */
function bytesOf(value: unknown, left: unknown[]): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + '""'.length
  if (typeof value !== 'object' || value === null) return String(value).length
  if (Array.isArray(value)) {
    for (const item of value) left.push(item)
    return '[]'.length + commas(value.length)
  }
  let bytes = 0
  let members = 0
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    bytes += Buffer.byteLength(name) + '"":'.length
    members++
    left.push(member)
  }
  return '{}'.length + bytes + commas(members)
}

function commas(many: number): number {
  return Math.max(0, many - 1)
}
