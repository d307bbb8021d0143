import type { Entry, Receipt } from '../../src/protocol/entries/entry.ts'
import { type Case, holds } from './judge.ts'
import { wordsOf } from './places.ts'
import { READING } from './work.ts'

/** What is in the log was said, once and in its order, and its receipts are true. */
export function judgeLog(all: Case): string[] {
  return [...whatWasAccepted(all), ...inOrder(all), ...whatAgentsSaid(all), ...receipts(all), ...reading(all)]
}

function whatWasAccepted({ record, entries }: Case): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return record.deeds.flatMap(({ kind, text, accepted, refused, question }) => {
    const found = entries.filter((entry) => spoken(entry) === text)
    if (accepted === undefined && refused === undefined)
      return [`hangs: the page was never told what became of "${text}"`]
    if (refused !== undefined) return found.length === 0 ? [] : [`log: "${text}" was refused and is in the log`]
    if (kind !== 'allow')
      return found.length === 1 && found[0]?.id === accepted
        ? []
        : [`log: "${text}" was accepted and is there ${found.length} times`]
    const { body } = byId.get(accepted ?? '') ?? {}
    const isIt = body?.kind === 'settlement' && body.question === question && body.outcome === 'approved'
    return isIt ? [] : [`log: "${text}" was accepted as something else`]
  })
}

function spoken({ body }: Entry): string | undefined {
  if (body.kind === 'message') return body.text
  return body.kind === 'settlement' ? (body.reply ?? body.reason) : undefined
}

/** What one page says in a conversation is there in the order in which it said it. */
function inOrder({ record }: Case): string[] {
  const said = record.deeds.filter(({ kind, accepted }) => ['post', 'stop'].includes(kind) && accepted)
  return [...Map.groupBy(said, ({ conversation }) => conversation).values()].flatMap((there) =>
    there.slice(1).flatMap((deed, n) => {
      const before = there[n]
      const isBehind = (before?.accepted ?? '') < (deed.accepted ?? '')
      return isBehind ? [] : [`order: "${deed.text}" comes before "${before?.text}"`]
    }),
  )
}

/** Each call asks or tells once, and what was answered is there. */
function whatAgentsSaid({ record, entries }: Case): string[] {
  const written = Map.groupBy(
    entries.filter((entry) => wordsOf(entry) !== undefined),
    (entry) => wordsOf(entry) as string,
  )
  const calls = Map.groupBy(
    record.calls.filter(({ words, again }) => words !== '' && !again),
    ({ words }) => words,
  )
  const invented = [...written.keys()]
    .filter((words) => !calls.has(words))
    .map((words) => `log: nobody said "${words}"`)
  const counted = [...calls].flatMap(([words, made]) => {
    const times = written.get(words)?.length ?? 0
    if (times > made.length) return [`log: "${words}" was said ${made.length} times and is there ${times} times`]
    const own = made.some(
      ({ shared, got }) => !shared && got && got.stopped === undefined && !isStop(got.verdict?.message),
    )
    return own && times === 0 ? [`log: "${words}" was answered and is not there`] : []
  })
  return [...invented, ...counted]

  /** What is stopped at once is not asked. */
  function isStop(message = ''): boolean {
    return record.deeds.some(({ kind, text }) => kind === 'stop' && message.includes(text))
  }
}

/** Nothing is called read that the agent never got. */
function receipts({ record, entries, had }: Case): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const claimed = entries.flatMap(({ id, conversation, body }) =>
    body.kind === 'receipt' && body.state === 'read' ? readBy(id, conversation, body) : [],
  )
  const texts = new Set(claimed.filter((text) => !had.some((one) => holds(one.text, text))))
  return [...texts].map((text) => `receipt: the log says that "${text}" was read, and nobody got it`)

  function readBy(id: string, conversation: string, { replies = [], messages_to = '' }: Receipt): string[] {
    const said = record.deeds.filter((deed) => deed.kind === 'post' && deed.conversation === conversation)
    const posts = said.filter(({ accepted = id }) => accepted <= messages_to)
    return [...replies.map((reply) => spoken(byId.get(reply) as Entry)), ...posts.map(({ text }) => text)].filter(
      (text) => text !== undefined,
    )
  }
}

/** Who reads on gets everything, in order and without a hole. */
function reading({ record }: Case): string[] {
  const said = record.deeds.filter(
    ({ kind, conversation, accepted }) => kind === 'post' && conversation === READING && accepted,
  )
  const read = record.calls.flatMap(({ got }) => got?.read ?? [])
  const place = said.findIndex(({ text }, n) => text !== read[n])
  if (place === -1 && read.length === said.length) return []
  const at = place === -1 ? said.length : place
  return [`reading: after ${at} messages "${said[at]?.text}" was next, and "${read[at]}" came`]
}
