import { HOSTILE_MARKDOWN } from '../fuzz/hostile-markdown.ts'
import type { Dice } from '../seeded.ts'

/** Who knocks, by the token that they show; some show none, or one that nobody was given. */
export const TOKENS = { ada: 'ada-secret', robot: 'robot-secret', boss: 'boss-secret', root: 'root-secret' }
export type Who = keyof typeof TOKENS | 'nobody' | 'stranger'
export const PERSONS: Who[] = ['ada', 'root']
export const GIVEN_TOKENS = [
  `ada:human:${TOKENS.ada}`,
  `robot:agent:${TOKENS.robot}`,
  `boss:orchestrator:${TOKENS.boss}`,
  `root:admin:${TOKENS.root}`,
].join(',')

const ID = /\d{16}/g
/** A question as the page is told of it. */
const QUESTION = /"id":"(\d{16})"(?:(?!"id":).){0,200}"kind":"question"/g
/** What is no refusal; the SDK calls it the same where a message lacks its parameters, and lists what is wrong. */
const FAULT = /Something went wrong|"code":-32603,"message":"(?!\[\\n)|internal error/i
const KEPT = 300
const OPEN = 20

export type World = ReturnType<typeof createWorld>

/**
 * What those who knock know of the hub, and what of it a person has named. Of a world under `siege` everybody knows this
 * one question and nothing else, and nobody is a person.
 */
export function createWorld(dice: Dice, place: { url: string; data: string }, siege?: string) {
  const ids: string[] = [siege ?? '0000000000000001']
  /** Those that may still be open. */
  const questions: string[] = []
  const hashes: string[] = ['0'.repeat(64)]
  const named = new Set<string>()
  const problems: string[] = []
  let words = 0
  let frames = 0
  let forgotten = false
  return {
    ...place,
    dice,
    named,
    problems,
    /** What frames of the dialects are made of. */
    stock: {
      get questions() {
        return dice.chance(0.5) && questions.length > 0 ? questions : ids
      },
      conversations: ['mine', 'other', 'work', 'nobody'],
      unique: text,
    },
    hashes,
    headersOf,
    sends,
    hears,
    frames: () => frames,
    /** Whether a person may have forgotten a conversation, of which nothing is known any more. */
    hasForgotten: () => forgotten,
  }

  function headersOf(who: Who): Record<string, string> {
    if (who === 'nobody') return {}
    if (siege && PERSONS.includes(who)) return headersOf('robot')
    return { authorization: `Bearer ${who === 'stranger' ? 'wrong' : TOKENS[who]}` }
  }

  /** Words, and now and then what looks like a verdict or was made to hurt. */
  function text(): string {
    words++
    if (dice.chance(0.1)) return dice.pick(['yes', 'Yes, allow it', 'always allow', 'y', 'allow', 'approved', 'no'])
    if (dice.chance(0.03)) return dice.pick(Object.values(HOSTILE_MARKDOWN))(dice.pick([500, 5000, 49_000]))
    return `word ${words}`
  }

  /** A frame leaves. */
  function sends(who: Who, bytes: Uint8Array | string) {
    frames++
    if (!PERSONS.includes(who) || siege) return
    for (const [id] of String(bytes).matchAll(ID)) named.add(id)
    forgotten ||= String(bytes).includes('"forget"')
  }

  /** What the hub says is where ids come from. */
  function hears(text: string, about: string) {
    if (FAULT.test(text)) problems.push(`${about}: ${text.slice(0, 400)}`)
    if (siege) return
    for (const [id] of text.slice(-20_000).matchAll(ID)) if (ids.at(-1) !== id) ids.push(id)
    ids.splice(0, Math.max(0, ids.length - KEPT))
    for (const [, id = ''] of text.matchAll(QUESTION)) questions.push(id)
    questions.splice(0, Math.max(0, questions.length - OPEN))
    for (const [hash] of text.slice(-20_000).matchAll(/\b[0-9a-f]{64}\b/g)) hashes.push(hash)
    hashes.splice(0, Math.max(0, hashes.length - KEPT))
  }
}
