import type { Change } from '../text/changes/changes.ts'

/** A number for a difference: another one as soon as a line of it is, so that no comment slips to another line. */
export function numberOf(path: string, lines: Change[]): number {
  let number = 0
  for (const text of [path, ...lines.map((line) => line.text)])
    for (let at = 0; at < text.length; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0
  return number >>> 0
}
