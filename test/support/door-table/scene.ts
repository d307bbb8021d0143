import { randomUUID } from 'node:crypto'
import { BEFORE_ALL, type Entry } from '../../../src/protocol/entries/entry.ts'
import { localPrincipal, type Principal, type Role } from '../../../src/protocol/principal.ts'
import { ask } from '../chat.ts'
import type { Schema } from '../doors/values.ts'
import { type Actor, ELSEWHERE, HERE, type TableHub } from './actors.ts'

/** What acts are made of, as it is just now in the conversation that they are about. */
export interface Scene {
  question: string
  message: string
}

/** Who asks what is there before the act; whatever else is asked, somebody answers at once. */
const FIXTURE = 'fixture'
export const HOLDER = 'holder'
/** Names of tools that only who holds the conversation may use, and of holding it. */
const DRIVES = /_conversation|receive_messages|ask_person|withdraw_questions|show_|_earlier/
const NOWHERE = { url: 'http://127.0.0.1:9/' }

/** A person who answers and allows everything that was not there before. */
export function answerAll({ view }: TableHub) {
  return view.follow(
    { after: BEFORE_ALL },
    {
      async entries(entries: Entry[]) {
        for (const { id, body } of entries) {
          if (body.kind !== 'question' || body.by === FIXTURE) continue
          // Whoever asked may have gone meanwhile.
          await (body.approval ? view.allow(id, undefined) : view.answer(id, 'Yes')).catch(() => {})
        }
      },
      failed(error) {
        throw error
      },
    },
  )
}

/** Everything is there that an act may be about. */
export async function setScene({ hub, principalAs }: Actor, act: string, role: Role): Promise<Scene> {
  const { view, viewOf, gateway } = hub
  for (const conversation of [HERE, ELSEWHERE]) {
    const { last } = await view.conversation(conversation)
    if (last === BEFORE_ALL) await view.say(conversation, { text: 'Hello' })
  }
  const question = await questionFor(hub, act)
  const message = await said(hub, principalAs(role), act)
  if (/mount/.test(act)) {
    if (!gateway.states().some(({ name }) => name === 'spare')) await gateway.add('spare', NOWHERE)
    if (gateway.states().some(({ name }) => name === 'added')) await gateway.remove('added')
  }
  if (act === 'start') viewOf(localPrincipal('orchestrator')).driver().offerRunner(runner('spare'), HOLDER)
  if (DRIVES.test(act)) await hold(hub, principalAs('orchestrator'), act)
  return { question, message }
}

/** An open one of the kind that the act is about. */
async function questionFor({ view }: TableHub, act: string): Promise<string> {
  const isVerdict = /^(allow|deny|take_option)$|reveal/.test(act)
  const { open } = await view.conversation(HERE)
  const known = open.find(({ by, approval }) => by === FIXTURE && (approval !== undefined) === isVerdict)
  if (known && act !== 'take_option') return known.id
  for (const { id, approval } of open) await (approval ? view.deny(id, undefined) : view.answer(id, 'No'))
  const options = act === 'take_option' ? OPTIONS : {}
  const approval = { tool_name: 'Bash', input: MASKED, ...options }
  const kind = isVerdict ? { approval } : { options: [{ label: 'once' }, { label: 'never' }] }
  const asked = { by: FIXTURE, text: randomUUID(), ...kind }
  const question = await ask(view, asked, HERE)
  if (question !== '') return question
  // A stop waits there for an agent, who would have to be told of it first.
  await view.forget(HERE)
  await view.say(HERE, { text: 'Hello' })
  return ask(view, asked, HERE)
}

/** Something of it is masked, and can be revealed. */
const MASKED = JSON.stringify({ command: 'ls', password: `ghp_${'a1B2'.repeat(9)}` })
const OPTIONS = { options: [{ id: 'once', label: 'Once', kind: 'allow_once' as const }] }

/** Speaks as the principal itself, so that it may take it back. */
async function said({ viewOf, view }: TableHub, principal: Principal, act: string): Promise<string> {
  if (!/revise|receive_messages/.test(act)) return BEFORE_ALL
  const text = randomUUID()
  const own = viewOf(principal)
  const { id } = await own.say(HERE, { text }).catch(() => view.say(HERE, { text }))
  return id
}

/** Who drives it now. */
const holders = new WeakMap<object, Principal>()

/** Nobody but who acts drives the conversation. */
async function hold({ viewOf, chat }: TableHub, principal: Principal, act: string) {
  const before = holders.get(chat)
  if (before) await viewOf(before).driver().release(HERE, HOLDER)
  await attempt(async () => {
    const driver = viewOf(principal).driver()
    if (act.includes('hold_conversation')) await driver.release(HERE, HOLDER)
    else await driver.acquire(HERE, HOLDER, 5)
    holders.set(chat, principal)
  })
}

/** Who may not is refused when it acts. */
async function attempt(work: () => Promise<void>) {
  await work().catch(() => {})
}

const runner = (name: string) => ({ name, agent: 'Spare', folder: '/', max_sessions: 1 })
/** Where the schema says too little of what is meant. */
const INPUTS: Record<string, (scene: Scene) => object> = {
  ask_user: () => ({ question: 'Which one?' }),
  mount_add: () => ({ name: 'added', config: NOWHERE }),
  view_set: () => ({ views: [] }),
  chat_assistant_event: () => ({ type: 'progress', text: 'Half of it', session_id: HERE }),
  receive_messages: ({ message }) => ({ session_id: HERE, holder: HOLDER, key: randomUUID(), messages: [message] }),
  missing_conversations: () => ({ session_ids: [HERE] }),
  offer_runner: () => ({ holder: HOLDER, runner: runner(randomUUID()) }),
  show_failed_run: () => ({ runner: { ...runner(randomUUID()), problem: 'It could not begin' } }),
  tell_earlier: () => ({
    session_id: HERE,
    holder: HOLDER,
    key: randomUUID(),
    entries: [{ what: 'user', text: 'Before' }],
  }),
  show_driven: () => ({ session_id: HERE, holder: HOLDER, driven: { state: 'idle' } }),
}

/** What a tool is called with: what it needs, and the conversation where it takes one. */
export function inputOf(tool: string, schema: Schema, scene: Scene): object {
  const bare = tool.replace(/^ui_/, '')
  const made = INPUTS[bare]?.(scene)
  if (made) return made
  const { properties = {}, required = [] } = schema
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || name === 'session_id')
  return Object.fromEntries(wanted.map(([name, its]) => [name, madeOf(name, its, scene)]))
}

function madeOf(name: string, schema: Schema, { question }: Scene): unknown {
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'boolean':
      return true
    case 'array':
      return name.endsWith('ids') ? [question] : []
    case 'object':
      return {}
    case 'integer':
    case 'number':
      return 10
    default:
      return textOf(name, question)
  }
}

function textOf(name: string, question: string): string {
  if (name === 'session_id') return HERE
  if (name === 'holder') return HOLDER
  if (name === 'mime') return 'text/plain'
  if (name === 'name') return 'spare'
  return name.endsWith('_id') || name === 'since' ? question : 'words'
}
