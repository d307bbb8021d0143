const UNITS = ['KB', 'MB']

/** A size for people: 640 bytes, 12 KB, 3.4 MB. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [unit, n] = bytes < 1_000_000 ? [0, bytes / 1000] : [1, bytes / 1_000_000]
  return `${n < 10 ? Number(n.toFixed(1)) : Math.round(n)} ${UNITS[unit]}`
}

const encoder = new TextEncoder()

/** Whether the text takes at most so many bytes as UTF-8. */
export function fits(text: string, limitBytes: number): boolean {
  // One UTF-16 unit takes at most three bytes, so most texts need no encoding to be measured.
  return text.length * 3 <= limitBytes || encoder.encode(text).length <= limitBytes
}
