import type { Question, Settlement } from '../../../../src/protocol/entries/entry.ts'
import { inWordsOf } from '../../../../src/protocol/entries/exchange.ts'
import type { Answer } from '../hub/outbox.ts'
import { endedElsewhere } from './records.ts'
import type { Asked, Base, DeliveryState, Exchange, Logged } from './row.ts'

const WAY: DeliveryState[] = ['sending', 'accepted', 'delivered', 'read']

/** Is told the entries in order. `open`: the questions that are; `whoElse`: whom to name beside an answer. */
export function createExchanges(open: ReadonlySet<string>, whoElse: (by: string, key: string) => string | undefined) {
  const rows = new Map<string, Exchange>()
  const places = new Map<string, { row: Exchange; asked: Asked }>()
  return { asked, settled, answering }

  /** A row for the first question of an exchange; the others come into it. */
  function asked(base: Logged, name: string, { by, text, attachments }: Question): Exchange | undefined {
    const known = rows.get(name)
    const row: Exchange = known ?? { kind: 'exchange', ...base, key: name, by, asked: [] }
    const one: Asked = { id: base.id, text, attachments, open: open.has(base.id) }
    row.asked.push(one)
    rows.set(name, row)
    places.set(base.id, { row, asked: one })
    return known ? undefined : row
  }

  /** Whether it ends a question that has its place here. */
  function settled({ key }: Base, settlement: Settlement, delivery: DeliveryState): boolean {
    const { question, by, reply: text, attachments } = settlement
    const place = places.get(question)
    if (place && text === undefined) place.asked.ended = endedElsewhere(settlement)
    else if (place) put(place, { text: text ?? '', attachments, who: whoElse(by, key) }, delivery)
    return place !== undefined
  }

  /** The same for an answer that is on its way. */
  function answering({ question, choices = [], text, attachments }: Answer, delivery: DeliveryState): boolean {
    const place = places.get(question)
    if (place?.asked.open) put(place, { text: inWordsOf(choices, text).trim(), attachments }, delivery)
    return place !== undefined
  }

  function put({ row, asked }: { row: Exchange; asked: Asked }, answer: Asked['answer'], delivery: DeliveryState) {
    asked.answer = answer
    asked.open = false
    row.delivery = WAY[Math.min(WAY.indexOf(delivery), WAY.indexOf(row.delivery ?? 'read'))]
  }
}
