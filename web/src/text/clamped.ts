const LONGEST = 36
const END = 12

/** A name no longer than a glance takes in, with its end: whatever stands around it stays on screen. */
export function clamped(name: string): string {
  const letters = [...name]
  if (letters.length <= LONGEST) return name
  return `${letters.slice(0, LONGEST - END - 1).join('')}…${letters.slice(-END).join('')}`
}
