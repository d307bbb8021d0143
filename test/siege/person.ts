import { setTimeout as pause } from 'node:timers/promises'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import type { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import type { Page } from '../support/page.ts'
import type { Dice } from '../support/seeded.ts'
import { QUIET } from './cast.ts'
import { speakersIn, wordsOf } from './places.ts'
import type { Deed, Record } from './record.ts'
import { MUCH, READING } from './work.ts'

export type Person = ReturnType<typeof createPerson>

/** Whoever sits at the page: answers, decides, talks and stops, sooner or later. */
export function createPerson({ page, record, dice }: { page: Page; record: Record; dice: Dice }) {
  let seen = 0
  const undecided = new Map<string, Entry>()
  /** For the end. */
  const left = new Set<string>()
  /** What is left for the end as soon as it is seen. */
  const forsaken = new Set<string>()
  const listeners = new Map<string, () => void>()
  /** By the questions, what is told when they are settled. */
  const settling = new Map<string, () => void>()
  const doing = new Set<Promise<unknown>>()
  let isLast = false
  /** Whether nothing is said for a while, and until when. */
  let away: PromiseWithResolvers<void> | undefined
  let sayings = 0
  page.onChange(look)
  return { answering, answered, rush, leave, forsake, saysMuch, chat, finish, settled }

  /** Resolves when this is about to be answered. */
  function answering(words: string): Promise<void> {
    return new Promise((resolve) => listeners.set(words, resolve))
  }

  /** Resolves when the page has just been told of the answer to this. */
  async function answered(words: string) {
    await answering(words)
    const { promise, resolve } = Promise.withResolvers<void>()
    const asked = page.entries.findLast((entry) => wordsOf(entry) === words)
    if (asked) settling.set(asked.id, resolve)
    await promise
  }

  /** Says nothing until what is returned is called. */
  function leave(): () => void {
    const now = Promise.withResolvers<void>()
    away = now
    return () => {
      away = undefined
      now.resolve()
    }
  }

  /** Does not decide this before the end. */
  function forsake(words: string) {
    forsaken.add(words)
    for (const entry of undecided.values()) if (wordsOf(entry) === words) left.add(entry.id)
  }

  /** Answers everything at once, but for what is left for the end. */
  function rush() {
    for (const entry of [...undecided.values()]) if (!left.has(entry.id)) begin(decide(entry))
  }

  function look() {
    for (; seen < page.entries.length; seen++) {
      const entry = page.entries[seen] as Entry
      if (entry.body.kind === 'settlement') {
        undecided.delete(entry.body.question)
        settling.get(entry.body.question)?.()
      }
      if (entry.body.kind !== 'question') continue
      undecided.set(entry.id, entry)
      if (isLast) begin(decide(entry))
      else if (!forsaken.has(wordsOf(entry) ?? '') && dice.chance(entry.body.approval ? 0.6 : 0.85)) begin(later(entry))
      else left.add(entry.id)
    }
  }

  async function later(entry: Entry) {
    await pause(dice.chance(0.3) ? dice.below(30) : dice.below(1500))
    await decide(entry)
  }

  async function decide(entry: Entry) {
    const { id, conversation, body } = entry
    await away?.promise
    if (body.kind !== 'question' || !undecided.has(id) || (left.has(id) && !isLast)) return
    if (isLast && body.approval && !isWaitedFor(entry)) return
    undecided.delete(id)
    const text = `re: ${wordsOf(entry)} (${id})`
    listeners.get(wordsOf(entry) ?? '')?.()
    const deed = { text, conversation, question: id }
    if (!body.approval) await does('answer', deed, () => page.answer(id, text))
    else if (dice.chance(0.6)) await does('allow', deed, () => page.command('allow', { question: id }))
    else await does('deny', deed, () => page.command('deny', { question: id, reason: text }))
  }

  /** Talks to somebody, and now and then stops somebody. */
  async function chat(isOver: () => boolean) {
    while (!isOver()) {
      await pause(dice.below(300))
      await away?.promise
      const speakers = [...speakersIn(record, page.entries)]
      const all = speakers.filter(([, names]) => !isLeftAlone(names)).map(([conversation]) => conversation)
      if (dice.chance(0.4)) post(READING)
      const conversation = dice.pick(all)
      if (conversation === undefined) continue
      if (!dice.chance(0.15)) post(conversation)
      else for (let stops = dice.pick([1, 1, 2, 3]); stops > 0; stops--) stop(conversation)
    }
  }

  /** Whoever comes first gets what is said to several. */
  function isLeftAlone(names: Set<string>): boolean {
    return record.roles.some(({ name, session }) => names.has(name) && (name === QUIET || session))
  }

  function saysMuch() {
    for (let n = 0; n < MUCH; n++) post(READING)
  }

  function post(conversation: string) {
    const text = `said (${++sayings})`
    begin(does('post', { text, conversation }, () => page.post(conversation, text)))
  }

  function stop(conversation: string) {
    const text = `stop (${++sayings})`
    begin(does('stop', { text, conversation }, () => page.interrupt(conversation, text)))
  }

  async function does(kind: Deed['kind'], deed: Omit<Deed, 'at' | 'kind'>, act: () => Promise<TimelineFrame>) {
    const done = record.does({ kind, ...deed })
    const said = await act()
    if (said.type === 'accepted') done.accepted = said.id
    if (said.type === 'refused') done.refused = said.code
    record.tell('person', `${kind} ${deed.text} was ${said.type}${said.type === 'refused' ? `: ${said.error}` : ''}`)
    return done
  }

  function begin(work: Promise<unknown>) {
    doing.add(work)
    void work.finally(() => doing.delete(work))
  }

  /** A call that nobody waits for any more is not allowed: somebody else has to see to it. */
  function isWaitedFor(entry: Entry): boolean {
    const there = speakersIn(record, page.entries).get(entry.conversation)
    return record.calls.some(
      ({ tool, words, line, ended }) =>
        tool === 'approve' && words === wordsOf(entry) && ended === undefined && (!there || there.has(line.agent)),
    )
  }

  /** Everything that is open, and at once from now on. */
  function finish() {
    isLast = true
    away?.resolve()
    away = undefined
    for (const entry of [...undecided.values()]) begin(decide(entry))
  }

  async function settled() {
    while (doing.size > 0) await Promise.all(doing)
  }
}
