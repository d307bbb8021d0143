import type { ToolStep } from '../driver.ts'

/** Lengths in UTF-16 units: an entry takes at most 1 MiB, whatever is in it. */
export const LONGEST_TEXT = 150_000
const LONGEST_LIST = 100_000
const LONGEST_STEP = 10_000
export const LONGEST_TITLE = 50_000

type Plan = { text: string; state: 'pending' | 'in_progress' | 'completed' }[]

/** As much of a text as an entry takes beside others. */
export function beginningOf(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).toWellFormed()}\n… and ${text.length - longest} more characters`
}

/** The first steps, and how many more there are. */
export function firstSteps(steps: Plan): Plan {
  const short = steps.map(({ text, state }) => ({ text: beginningOf(text, LONGEST_STEP), state }))
  const shown = firstOf(short)
  const more = steps.length - shown.length
  return more === 0 ? shown : [...shown, { text: `… and ${more} more`, state: 'pending' }]
}

export function firstLocations(locations: ToolStep['locations']): ToolStep['locations'] {
  return locations && firstOf(locations)
}

function firstOf<One>(all: One[]): One[] {
  let room = LONGEST_LIST
  return all.filter((one) => {
    // It is the first ones that are there, without a gap.
    room -= JSON.stringify(one).length
    return room >= 0
  })
}
