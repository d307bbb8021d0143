const CONTEXT = 3

/** The lines that would change, with some around them, as a patch shows them. Only one place of a file changes. */
export function difference(path: string, now: string, then: string): string {
  const [before, after] = [lines(now), lines(then)]
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same++
  let tail = 0
  while (tail < before.length - same && tail < after.length - same && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const from = Math.max(0, same - CONTEXT)
  const around = (all: string[], start: number, end: number) => all.slice(start, end).map((line) => ` ${line}`)
  const shown = [
    ...around(before, from, same),
    ...before.slice(same, before.length - tail).map((line) => `-${line}`),
    ...after.slice(same, after.length - tail).map((line) => `+${line}`),
    ...around(before, before.length - tail, before.length - tail + CONTEXT),
  ]
  return [`--- ${path}`, `+++ ${path}`, `@@ line ${from + 1} @@`, ...shown].join('\n')
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
