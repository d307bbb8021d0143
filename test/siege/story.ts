import { writeFileSync } from 'node:fs'
import type { Record } from './record.ts'

const MOST_COMPLAINTS = 12
const MOST_LINES = 14
const MOST_BESIDE = 8
const AROUND_MS = 200

type Line = Record['story'][number]

/** What was wrong, and what was done and seen by those it is about. `PARLEY_STORY` names a file for all of it. */
export function storyOf(seed: number, complaints: string[], { story, roles }: Record): string {
  if (process.env.PARLEY_STORY) writeFileSync(process.env.PARLEY_STORY, [...complaints, ...story.map(told)].join('\n'))
  const kinds = Map.groupBy(complaints, (complaint) => complaint.split(':')[0])
  const counts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`)
  // The first of each kind before more of the same.
  const order = [...kinds.values()].flatMap((all) => all.map((complaint, n) => ({ complaint, n })))
  const first = order.sort((one, other) => one.n - other.n).slice(0, MOST_COMPLAINTS)
  return [`PARLEY_SEED=${seed}: ${counts.join(', ')}`, ...first.flatMap(({ complaint }) => around(complaint))].join(
    '\n',
  )

  function around(complaint: string): string[] {
    const names = roles.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(complaint))
    const quoted = [...complaint.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words)
    const calls = [...complaint.matchAll(/#\d+\b/g)].map(([call]) => call)
    const isAbout = ({ what }: Line) =>
      quoted.some((words) => what.includes(words)) || calls.some((call) => what.startsWith(`${call} `))
    const about = story.filter(isAbout)
    const near = (at: number) => about.some((line) => Math.abs(line.at - at) < AROUND_MS)
    const beside = story.filter((line) => !isAbout(line) && names.includes(line.who) && near(line.at))
    const hurts = story.filter(
      ({ who, at }) => who === 'machine' && at >= (about[0]?.at ?? 0) && at <= (about.at(-1)?.at ?? 0),
    )
    const lines = [...about.slice(0, MOST_LINES), ...beside.slice(0, MOST_BESIDE), ...hurts.slice(-MOST_BESIDE)]
    return [`- ${complaint}`, ...story.filter((line) => lines.includes(line)).map((line) => `    ${told(line)}`)]
  }
}

function told({ at, who, what }: Line): string {
  return `${(at / 1000).toFixed(2)} s ${who}: ${what}`
}
