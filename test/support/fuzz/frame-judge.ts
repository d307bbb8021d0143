import type { RawFrame } from './broken-frames.ts'

/** What the hub holds, as far as a frame can ask for it. */
export interface World {
  /** Open questions and their conversations. */
  open: Map<string, string>
  /** Conversations somebody spoke in. */
  conversations: Set<string>
  /** Conversations that frames still on their way begin. */
  beginning: Set<string>
  keys: Set<string>
}

/** The connection that a frame comes over. */
export interface ConnectionState {
  documents: Set<string>
  /** `?session=` */
  only?: string
  greeted: boolean
}

export interface Effect {
  /** `words` answer what is open in their conversation, or are a message there. */
  kind: 'settlement' | 'message' | 'title' | 'words'
  text: string
  /** Unknown where it is the connection's own. */
  conversation?: string
}

/** `unsure`: what happens depends on what else is on its way, as with a key that is used twice. */
export type Judgement =
  | { outcome: 'unsure' }
  | { outcome: 'closed'; code: number }
  | { outcome: 'refused'; key?: string }
  | { outcome: 'done'; effect?: Effect; answer?: { type: string; key?: string } }

type Fields = Record<string, unknown>

const ID = /^[0-9]{16}$/
const TEXT_LIMIT = 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What the documents say about a frame, told without the hub's own schemas. Takes what is done as done in the world. */
export function judge({ bytes, binary }: RawFrame, place: ConnectionState, world: World): Judgement {
  const text = binary ? String(bytes) : decoded(bytes)
  if (text === undefined) return { outcome: 'closed', code: 1007 }
  const frame = json(text)
  const fields = typeof frame === 'object' && frame !== null ? (frame as Fields) : {}
  const refused: Judgement = { outcome: 'refused', key: nameOf(fields.key) }
  if (binary || !Object.hasOwn(fields, 'type') || !place.documents.has(fields.type as string)) return refused
  return commands[fields.type as keyof typeof commands](fields, place, world) ?? refused
}

/** Nothing for what must be refused. */
const commands = {
  ack: ({ id, message }: Fields, place: ConnectionState, world: World) => answered(id, message, place, world),
  user_response: ({ id, answer }: Fields, place: ConnectionState, world: World) => answered(id, answer, place, world),

  chat({ message, session_id }: Fields, { only }: ConnectionState): Judgement | undefined {
    const named = nameOf(session_id)
    const isNamed = session_id !== undefined && session_id !== null && session_id !== ''
    if (!isText(message) || (isNamed && named === undefined)) return
    if (only !== undefined && (named ?? only) !== only) return
    return { outcome: 'done', effect: { kind: 'words', text: message.toWellFormed(), conversation: named ?? only } }
  },

  hello({ cursor, conversation }: Fields, place: ConnectionState): Judgement | undefined {
    if (!absentOr(isId, cursor) || !absentOr(isName, conversation)) return
    place.greeted = true
    return { outcome: 'done', answer: { type: 'welcome' } }
  },

  read({ key, conversation, before, after, limit }: Fields, place: ConnectionState): Judgement | undefined {
    if (!mayTouch(key, conversation, place) || !absentOr(isId, before) || !absentOr(isId, after)) return
    if (!absentOr((value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 100, limit)) return
    return { outcome: 'done', answer: { type: 'page', key: nameOf(key) } }
  },

  list({ key, before }: Fields, { greeted }: ConnectionState): Judgement | undefined {
    if (!greeted || !isName(key) || !absentOr(isId, before)) return
    return { outcome: 'done', answer: { type: 'listed', key: nameOf(key) } }
  },

  search({ key, query, before, conversation }: Fields, { greeted, only }: ConnectionState): Judgement | undefined {
    if (!greeted || !isName(key) || !absentOr(isId, before) || !absentOr(isName, conversation)) return
    if (typeof query !== 'string' || query.length > 1000) return
    if (conversation !== undefined && nameOf(conversation) !== (only ?? nameOf(conversation))) return
    return { outcome: 'done', answer: { type: 'found', key: nameOf(key) } }
  },

  post({ key, conversation, text }: Fields, place: ConnectionState, world: World): Judgement | undefined {
    if (!mayTouch(key, conversation, place) || !isText(text)) return
    const where = nameOf(conversation) as string
    world.beginning.add(where)
    return accepted(key, { kind: 'message', text: text.toWellFormed(), conversation: where }, world)
  },

  answer({ key, question, text }: Fields, place: ConnectionState, world: World): Judgement | undefined {
    if (!place.greeted || !isName(key)) return
    if (world.keys.has(nameOf(key) as string)) return { outcome: 'unsure' }
    const done = answered(question, text, place, world)
    return done && accepted(key, done.effect, world)
  },

  rename({ key, conversation, title }: Fields, place: ConnectionState, world: World): Judgement | undefined {
    const where = nameOf(conversation) as string
    if (!mayTouch(key, conversation, place) || !isName(title)) return
    if (!world.conversations.has(where)) return world.beginning.has(where) ? { outcome: 'unsure' } : undefined
    return accepted(key, { kind: 'title', text: nameOf(title) as string, conversation: where }, world)
  },
}

function answered(id: unknown, message: unknown, { only }: ConnectionState, { open }: World) {
  if (!isId(id) || !isText(message)) return
  const conversation = open.get(id)
  if (conversation === undefined || conversation !== (only ?? conversation)) return
  open.delete(id)
  const effect: Effect = { kind: 'settlement', text: message.toWellFormed(), conversation }
  return { outcome: 'done' as const, effect }
}

function accepted(key: unknown, effect: Effect, { keys }: World): Judgement {
  const name = nameOf(key) as string
  if (keys.has(name)) return { outcome: 'unsure' }
  keys.add(name)
  return { outcome: 'done', effect, answer: { type: 'accepted', key: name } }
}

function mayTouch(key: unknown, conversation: unknown, { greeted, only }: ConnectionState): boolean {
  return greeted && isName(key) && isName(conversation) && (only ?? nameOf(conversation)) === nameOf(conversation)
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toWellFormed().trim()
  return name.length >= 1 && name.length <= 200 && !/\p{Cc}/u.test(name) ? name : undefined
}

function isName(value: unknown): boolean {
  return nameOf(value) !== undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && Buffer.byteLength(value) <= TEXT_LIMIT
}

function absentOr(check: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || check(value)
}
