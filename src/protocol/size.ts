const UNITS = ['KB', 'MB']

/** As people say it: 640 bytes, 12 KB, 3.4 MB. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [unit, n] = bytes < 1_000_000 ? [0, bytes / 1000] : [1, bytes / 1_000_000]
  return `${n < 10 ? Number(n.toFixed(1)) : Math.round(n)} ${UNITS[unit]}`
}
