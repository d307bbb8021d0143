const CONTEXT = 3
const LONG = 1000
const NEAR = 80

/** The lines that would change, with some around them, as a patch shows them. Only one place of a file changes. */
export function difference(path: string, now: string, then: string, shown: (line: string) => string): string {
  const [before, after] = [lines(now), lines(then)]
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same++
  let tail = 0
  while (tail < before.length - same && tail < after.length - same && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const from = Math.max(0, same - CONTEXT)
  const around = (all: string[], start: number, end: number) =>
    all.slice(start, end).map((line) => ` ${part(shown(line), 0)}`)
  const first = Math.max(0, sameStart(shown(before[same] ?? ''), shown(after[same] ?? '')) - NEAR)
  const changed = [
    ...around(before, from, same),
    ...before.slice(same, before.length - tail).map((line) => `-${part(shown(line), first)}`),
    ...after.slice(same, after.length - tail).map((line) => `+${part(shown(line), first)}`),
    ...around(before, before.length - tail, before.length - tail + CONTEXT),
  ]
  return [`--- ${path}`, `+++ ${path}`, `@@ line ${from + 1} @@`, ...changed].join('\n')
}

/** A file may be one line, however large it is. */
function part(line: string, from: number): string {
  if (line.length <= LONG) return line
  const end = from + LONG
  return `${from > 0 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`
}

function sameStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
