import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { bridge } from '../../../src/doors/ws/bridge-dialect.ts'
import { loop } from '../../../src/doors/ws/loop-dialect.ts'
import { router } from '../../../src/doors/ws/router-dialect.ts'
import { TIMELINE } from '../../../src/protocol/frames/timeline.ts'
import { createTurns } from '../eventually.ts'
import { COMMANDS } from '../fuzz/schema-frames.ts'
import type { Frame } from '../socket.ts'
import { upgrade } from '../upgrade.ts'
import { type Actor, HERE, type TableHub } from './actors.ts'
import type { Door } from './door.ts'
import { type Scene, setScene } from './scene.ts'
import { codeIn, type Outcome, ofAnswer } from './verdict.ts'

/** Words, and nothing that it goes on from. */
const ALONE = { text: 'words', resume: undefined, from: undefined }
const EVENT_DIALECTS = [bridge, loop, router]
/** The first of everything, and nothing that need not be. */
const FIRST = { below: () => 0, chance: () => false, pick: <Value>(values: readonly Value[]) => values[0] as Value }

/** `/ws` in each dialect that the hub names, and without one. */
export async function wsDoors(hub: TableHub): Promise<Door[]> {
  const { error } = await upgrade(hub.url, '/ws?dialect=none')
  const names = /known: (.*)$/.exec(error)?.[1]?.split(', ') ?? []
  return [
    wsDoor(
      '/ws',
      '/ws',
      EVENT_DIALECTS.map(({ type }) => type),
    ),
    ...names.map((name) => wsDoor(`/ws in ${name}`, `/ws?dialect=${name}`, framesOf(name))),
  ]
}

function framesOf(dialect: string): string[] {
  if (dialect === TIMELINE) return [...COMMANDS.keys(), 'start with an agent']
  const spoken = { bridge, loop, router }[dialect]
  if (!spoken) throw new Error(`Nobody said which frames the dialect ${dialect} has`)
  return [spoken.type]
}

function wsDoor(name: string, path: string, acts: string[]): Door {
  const pages = new Map<Actor, Awaited<ReturnType<typeof openPage>>>()
  return { name, acts, drive }

  async function drive(act: string, actor: Actor): Promise<Outcome> {
    const page = pages.get(actor) ?? (await openPage(actor, path))
    if (page.refused !== undefined) return page.refused
    pages.set(actor, page)
    const scene = await setScene(actor, act, 'human')
    return path.includes(TIMELINE) ? page.command(act, scene) : page.event(act, scene)
  }
}

async function openPage({ hub, headers }: Actor, path: string) {
  const { status, error, ws } = await upgrade(hub.url, path, headers)
  const frames: Frame[] = []
  ws.on('message', (data) => frames.push(JSON.parse(String(data))))
  if (path.includes(TIMELINE) && status === 101) ws.send('{"type":"hello"}')
  return { refused: status === 101 ? undefined : ofAnswer(status, JSON.stringify({ error })), command, event }

  /** Every command is answered. */
  async function command(type: string, { question, message }: Scene): Promise<Outcome> {
    const key = randomUUID()
    const stock = { questions: [question], conversations: [HERE], unique: () => `words ${key}` }
    const fields = COMMANDS.get(type === 'start with an agent' ? 'start' : type)?.(FIRST, stock) ?? []
    const frame = Object.fromEntries(fields.map(([name, value]) => [name, JSON.parse(value)]))
    const own: Record<string, object> = {
      revise: { message, text: 'Other words' },
      answer_all: { answers: [{ question, text: 'words' }] },
      wish: { runner: 'spare' },
      start: { runner: 'spare', agent: undefined, folder: undefined, worktree: undefined, ...ALONE },
      'start with an agent': {
        type: 'start',
        agent: 'nobody',
        folder: '/',
        runner: undefined,
        worktree: undefined,
        ...ALONE,
      },
      browse: { folder: undefined },
      sessions: { agent: 'nobody', folder: '/' },
      allow_adapter: { agent: 'nobody', version: '1' },
    }
    frames.splice(0)
    ws.send(JSON.stringify({ ...frame, ...own[type], ...(type !== 'hello' && { key }) }))
    for (;;) {
      const answer = frames.find((told) => (type === 'hello' ? told.type === 'welcome' : told.key === key))
      if (answer) return answer.type === 'refused' ? String(answer.code) : 'yes'
      await once(ws, 'message')
    }
  }

  /** What these say is answered only where it is refused; otherwise the words stand in the conversation. */
  async function event(type: string, { question }: Scene): Promise<Outcome> {
    const words = `words ${randomUUID()}`
    const said: Record<string, object> = {
      ack: { id: question, message: words },
      chat: { message: words, session_id: HERE },
      user_response: { id: question, answer: words },
    }
    if (!said[type]) throw new Error(`Nobody said what is in a frame ${type}`)
    frames.splice(0)
    ws.send(JSON.stringify({ type, ...said[type] }))
    for (const turn = createTurns(); ; await turn()) {
      const { entries } = await hub.view.page(HERE, { limit: 5 })
      if (JSON.stringify(entries).includes(words)) return 'yes'
      const problem = frames.find((told) => told.type === 'error')
      if (problem) return codeIn(String(problem.error)) ?? String(problem.error)
    }
  }
}
