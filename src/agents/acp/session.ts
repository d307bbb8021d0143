import { setTimeout as pause } from 'node:timers/promises'
import { ParleyError } from '../../protocol/errors.ts'
import type { DrivenSession, SessionWanted } from '../driver.ts'
import type { AgentProcess } from '../process.ts'
import { createAsks } from './asks.ts'
import { connectAgent, LOGIN_NEEDED, withLastWords } from './connection.ts'
import { createControls } from './controls.ts'
import { allowsAll, askingMode, knownAgent } from './known-agents.ts'
import { type Loose, record, text } from './loose.ts'
import { createNotices } from './notices.ts'
import { beginSession } from './opening.ts'
import { ownServer } from './parley/own-server.ts'
import { createReplay } from './past/replay.ts'
import type { Patience } from './patience.ts'
import { createTools } from './tools.ts'
import { createTurns, type Turns } from './turns.ts'
import { createUpdates, type Updates } from './updates.ts'
import { createUsage } from './usage.ts'

interface AgentParts {
  command: string
  name: string
  patience: Patience
  process: AgentProcess
  wanted: SessionWanted
  /** The sessions that the runner has open now, of all its conversations. */
  opened: Set<string>
}

/** A session of an agent whose process has just been started; it is ended where none comes to be. */
export async function openAgent({
  command,
  name,
  patience,
  process,
  wanted,
  opened,
}: AgentParts): Promise<DrivenSession> {
  const { happens } = wanted
  const notices = createNotices(name, patience, happens)
  const controls = createControls(happens)
  const own = ownServer(wanted.parley)
  const tools = createTools(happens, own)
  let updates: Updates | undefined
  let turns: Turns | undefined
  let known = knownAgent(undefined)
  let isOpening = true
  let ownId: string | undefined
  let replay = wanted.replay && createReplay()
  let isStopping = false
  let isStuck = false
  const asks = createAsks({
    ...{ happens, tools, asHubHasIt: own.asHubHasIt },
    ownTool: (call, options) => own.toolIn(call, known, options),
    tell: (words) => void turns?.tell(words),
    isStopped: () => turns?.isStopped() ?? false,
  })
  const link = connectAgent({
    ...{ process, command, name },
    heard: notices.heard,
    tooMuch: (problem) => notices.say(`Nothing is taken of a message of ${name}: ${problem}`),
    behind: () => wanted.behind?.(),
    update: (update, of) => {
      // Agents of several sessions may tell each of all; what is forked or loaded may be repeated under another id.
      if (!isOpening && of !== undefined && of !== ownId && opened.has(of)) return
      if (isOpening) replay?.take(update)
      updates?.take(update, isOpening || turns?.isMuted() ? 'controls' : 'all')
    },
    permission: asks.permission,
    elicitation: asks.elicitation,
  })
  void process.ended.then(own.close)
  try {
    return await within(patience.startMs, open())
  } catch (error) {
    const sentence = await whyNot(error)
    isStopping = true
    await process.kill()
    throw sentence
  }

  async function open(): Promise<DrivenSession> {
    const about = await link.initialize().catch(speaksNoAcp)
    known = knownAgent(text(record(about.agentInfo).name))
    const usage = createUsage(known, happens)
    const seen = createUpdates({ happens, tools, controls, usage, known, own, notice: notices.say })
    updates = seen
    const capabilities = record(about.agentCapabilities)
    const servers = await own.servers(capabilities, known, wanted.folder)
    const session = await beginSession({ link, about, known, wanted, replayed: seen.counted, servers })
    controls.take(session.told)
    ownId = session.id
    opened.add(session.id)
    void process.ended.then(() => opened.delete(session.id))
    const canSteer = record(record(about._meta).steering).supported === true
    const takesImages = record(capabilities.promptCapabilities).image === true
    const run = createTurns({
      ...{ name, known, patience, link, asks, tools, updates: seen, usage, notices, canSteer, takesImages },
      session: session.id,
      watchStarted: process.watchStarted,
      isGone: () => isStuck || link.isClosed(),
      gone: process.ended.then(whyGone),
      stuck: () => {
        isStuck = true
        void process.kill()
      },
    })
    turns = run
    const earlier = session.remembers ? replay?.said() : undefined
    replay = undefined
    await setUp(session.id)
    isOpening = false
    return {
      ...(session.resumable && { id: session.resumable }),
      remembers: session.remembers,
      ...(session.had !== undefined && { had: session.had }),
      ...(session.prompts !== undefined && { prompts: session.prompts }),
      ...(earlier && { earlier }),
      prompt: run.prompt,
      ...(canSteer && { steer: run.steer }),
      interrupt: run.cancel,
      choose: (choice) => choose(session.id, choice),
      stop,
      lost: new Promise((resolve) => {
        void process.ended.then((how) => isStopping || resolve(whyGone(how)))
      }),
    }
  }

  /** The agent starts in a mode in which it asks, unless the person wants another. */
  async function setUp(session: string) {
    const { mode, model } = wanted
    const modes = controls.choices('mode')
    if (modes) {
      const isThere = modes.all.some(({ id }) => id === mode)
      const next = isThere ? mode : askingMode(modes, known)
      if (next !== undefined && next !== modes.current) await set(session, 'mode', next).catch(notSet)
      const now = controls.choices('mode') ?? modes
      const label = now.all.find(({ id }) => id === now.current)?.name
      if (!isThere && allowsAll(now)) notices.say(`${name} is in the mode “${label}” and may act without asking`)
    }
    const models = controls.choices('model')
    if (model !== undefined && model !== models?.current && models?.all.some(({ id }) => id === model))
      await set(session, 'model', model).catch(notSet)
    const isMissing = [
      mode !== undefined && !modes?.all.some(({ id }) => id === mode) && `mode “${mode}”`,
      model !== undefined && !models?.all.some(({ id }) => id === model) && `model “${model}”`,
    ].filter(Boolean)
    if (isMissing.length > 0) notices.say(`${name} has no ${isMissing.join(' and no ')}`)
  }

  async function notSet(error: unknown) {
    notices.say((await link.sentenceOf(error, known.login)).message)
  }

  async function choose(session: string, { mode, model }: { mode?: string; model?: string }) {
    const refused = async (error: unknown) => {
      throw await link.sentenceOf(error, known.login)
    }
    if (mode !== undefined) await set(session, 'mode', mode).catch(refused)
    if (model !== undefined) await set(session, 'model', model).catch(refused)
  }

  async function set(sessionId: string, control: 'mode' | 'model', id: string) {
    const asked = controls.request(control, id)
    if (!asked) throw new ParleyError('unknown_choice', { choice: id })
    const told: Loose = await link.request(asked.method, { sessionId, ...asked.params })
    if (Array.isArray(told.configOptions)) controls.take(told)
    else controls.switched(control, id)
  }

  async function stop() {
    isStopping = true
    await Promise.race([turns?.cancel(), pause(patience.cancelMs)])
    await process.stop()
    await own.close()
  }

  function whyGone(how: string): string {
    if (isStuck) return `${name} did not stop within ${patience.stuckMs / 1000} s and was ended`
    return new ParleyError('agent_ended', { agent: name, how: withLastWords(how, process) }).message
  }

  async function whyNot(error: unknown): Promise<unknown> {
    const sentence = await link.sentenceOf(error, known.login)
    return sentence.code === 'agent_ended' ? new ParleyError('no_agent', sentence.details) : sentence
  }

  function speaksNoAcp(error: unknown): never {
    const code = (error as { code?: unknown }).code
    if (typeof code !== 'number' || code === LOGIN_NEEDED) throw error
    throw new ParleyError('no_acp', { agent: name, reason: 'it does not know how to begin' })
  }

  async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const words = process.lastWords()
      const reason = `it gave no answer within ${ms / 1000} s${words ? ` and said: ${words}` : ''}`
      reject(new ParleyError('no_acp', { agent: name, reason }))
    }, ms)
    try {
      return await Promise.race([work, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
