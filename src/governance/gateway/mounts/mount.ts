import { isDeepStrictEqual } from 'node:util'
import { createBackOff } from '../../../io/back-off.ts'
import { oneSession, type SessionLife } from '../../../io/session/one-session.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { messageOf } from '../../../protocol/text/message-of.ts'
import type { MountState, MountStatus } from '../../../protocol/tools/gateway.ts'
import { callFailure } from '../calls/call-failure.ts'
import { createCalls, type MountCall } from '../calls/calls.ts'
import { callTask, isTask } from '../calls/task-call.ts'
import { cleanText } from '../clean-text.ts'
import { ownerOf, type RawTool } from '../fingerprint.ts'
import type { Access } from '../sign-in/access.ts'
import { NeedsSignIn } from '../sign-in/needs-sign-in.ts'
import { accessTo, signInUrl } from '../sign-in/place.ts'
import type { SignInPlace } from '../sign-in/sign-ins.ts'
import type { Raw, Upstream } from '../upstream/upstream.ts'
import { basesOf } from './bases.ts'
import { leavingOut } from './leaving-out.ts'
import { filledIn, type MountConfig, parseMount } from './mount-config.ts'
import { createMountLog } from './mount-log.ts'
import type { MountParts } from './mount-parts.ts'
import { HIDE_NOTHING, type Hide, hiddenIn, hideInError, hidingSecretsOf } from './own-secrets.ts'
import { paced } from './paced.ts'

export type Mount = ReturnType<typeof openMount>

/** A server that stayed this many times its back-off is a good one again. */
const STEADY = 10

/** How often it may change its lists: so that looking at them takes a twentieth of the time, whatever is in them. */
const LISTED = { fromMs: 100, toMs: 10_000, times: 20 }
const LONGEST_PROBLEM = 500

/** One server of others: started, started again when it is lost, and asked what it has. */
export function openMount({ name, written, data, env, patience, signIns, changed, told }: MountParts) {
  const log = createMountLog((text) => hide(text))
  const calls = createCalls(patience)
  const firstTry = Promise.withResolvers<void>()
  const sessions = oneSession({ open, end: (upstream: Upstream) => upstream.close(), lost })
  let status: MountStatus = 'starting'
  let problem: string | undefined
  let since = Date.now()
  let tools: RawTool[] = []
  let prompts: RawTool[] = []
  let config: MountConfig | undefined
  const backOff = createBackOff(patience.backOffMs, patience.mostBackOffMs)
  let isLegacy = false
  let again: NodeJS.Timeout | undefined
  let hide: Hide = HIDE_NOTHING
  let access: Access | undefined
  /** Set as long as a person has to sign in, for all of it or for more of it. */
  let needed: NeedsSignIn | undefined
  const lists = paced(LISTED, listAgain)
  const watching = setInterval(look, patience.silenceMs / 10).unref()
  return {
    name,
    owner: ownerOf(written),
    log,
    begin,
    /** Resolves when its first start has succeeded or failed. */
    tried: firstTry.promise,
    about: (): Omit<MountState, 'fingerprints'> => ({
      name,
      transport: kind(),
      state: status,
      problem,
      tools: tools.length,
      since,
      sign_in: needed !== undefined,
      bases: config && basesOf(config),
    }),
    tools: () => (status === 'paused' ? [] : tools),
    /** Resolves once its tools are known, where it has said that they changed. */
    listed: () => lists.done('tools'),
    prompts: () => (status === 'paused' ? [] : prompts),
    /** The folders where a relative path may lead there; nothing where nobody knows. */
    bases: () => config && basesOf(config),
    can: (what: 'resources' | 'prompts' | 'completions' | 'logging') =>
      sessions.now()?.capabilities[what] !== undefined,
    isPaused: () => status === 'paused',
    /** The server's instructions, once it is there. */
    instructions: () => sessions.now()?.instructions,
    isModern: () => sessions.now()?.isModern ?? false,
    request,
    /** Hides the keys that it was given. */
    hidden,
    down,
    list: async (method: string) => sessions.now()?.list(method, leavingOut(method, log)) ?? [],
    listen,
    pause,
    resume,
    signInPlace: (): SignInPlace => ({ url: signInUrl(name, written, env), challenge: needed?.challenge ?? {} }),
    accessChanged,
    close,
  }

  function kind() {
    return typeof written === 'object' && written !== null && 'url' in written ? 'http' : 'stdio'
  }

  function begin() {
    if ((written as { disabled?: unknown } | null)?.disabled === true) return pause()
    void connect()
  }

  async function connect() {
    become('starting')
    // Whatever goes wrong, `lost` was told.
    await sessions.use(begun, () => true).catch(() => {})
    firstTry.resolve()
  }

  async function open({ ended, lose }: SessionLife): Promise<Upstream> {
    config = filledIn(parseMount(name, written), env)
    const hideConfigured = hidingSecretsOf(config)
    const opening = await accessTo(name, config, signIns)
    ended.throwIfAborted()
    access = opening
    hide = opening ? (text) => hideConfigured(opening.hide(text)) : hideConfigured
    // The SDK's client is loaded where there is something to connect to.
    const { openUpstream } = await import('../upstream/open-upstream.ts')
    const opened = await openUpstream({
      config,
      data,
      access,
      log,
      patience,
      ended,
      isLegacy,
      foundLegacy: () => {
        isLegacy = true
      },
      told: (method, params) => hear(method, hidden(params)),
      asked: (method, params) => calls.ask(method, hidden(params)),
      closed: (reason) => lose(new Error(reason)),
    })
    if (opened.isModern) void opened.listen(FILTER).catch(() => {})
    return opened
  }

  async function begun(upstream: Upstream) {
    await Promise.all([refresh('tools'), refresh('prompts')])
    if (upstream !== sessions.now()) return
    needed = undefined
    become('ready')
    log.tell('ready')
  }

  /** Open requests are answered with an error, and it is started again where that may help. */
  function lost(error: unknown) {
    // Nothing but another configuration helps.
    if (error instanceof ParleyError) become('failed', error.message)
    else if (error instanceof NeedsSignIn) wantSignIn(error)
    else startLater(messageOf(error))
  }

  /** Each time later. */
  function startLater(reason: string) {
    if (status === 'ready' && Date.now() - since > STEADY * patience.backOffMs) backOff.reset()
    const wait = backOff.next()
    log.tell(reason)
    become('failed', `${reason}; it is started again in ${Math.ceil(wait / 1000)} s`)
    again = setTimeout(() => void connect(), wait).unref()
  }

  /** The server is not tried again by itself: it would be refused for ever. */
  function wantSignIn(error: NeedsSignIn) {
    if (!access)
      return void stop('failed', 'it refuses the authorization header of its mount; mount it again with another')
    log.tell(error.message)
    const order = `parley mount login ${name}`
    if (!error.isForMore || status !== 'ready') return void stop('needs sign-in', `it needs sign-in: ${order}`, error)
    needed = error
    become('ready', `a call needs more rights: ${order}`)
  }

  function become(next: MountStatus, why?: string) {
    const isOther = status !== next
    status = next
    problem = why && cleanText(hide(why)).slice(0, LONGEST_PROBLEM)
    if (isOther) since = Date.now()
    changed('state')
  }

  async function refresh(what: 'tools' | 'prompts') {
    const upstream = sessions.now()
    if (!upstream?.capabilities[what]) return
    const listed = (await upstream.list(`${what}/list`, leavingOut(what, log))) as RawTool[]
    if (isDeepStrictEqual(listed, what === 'tools' ? tools : prompts)) return
    if (what === 'tools') tools = listed
    else prompts = listed
    changed(what)
  }

  async function listAgain(what: 'tools' | 'prompts' | 'resources') {
    if (what === 'resources') changed('resources')
    else await refresh(what).catch((error) => log.tell(String(error)))
  }

  function hear(method: string, params: Raw) {
    const [, list] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? []
    if (list) lists.want(list as 'tools' | 'prompts' | 'resources')
    else if (method !== 'notifications/message' || !calls.log(params)) told(method, params)
    if (method === 'notifications/message') log.tell(JSON.stringify(params))
  }

  /** Listens at a server of the 2026 era, until it is ended. */
  async function listen(filter: { resourceSubscriptions: string[] }): Promise<() => Promise<void>> {
    const upstream = sessions.now()
    if (!upstream) throw down()
    const subscription = await upstream.listen(filter)
    return () => subscription.close()
  }

  /** A request as part of a client's call, where what the server asks for meanwhile is the client's to answer. */
  async function request(method: string, params: Raw, call: MountCall): Promise<Raw> {
    const used = sessions.now()
    if (status !== 'ready' || !used) throw down()
    const done = calls.begin(call)
    try {
      const progress = call.progress && ((params: Raw) => call.progress?.(hidden(params)))
      const asking = { ...call, progress }
      const result = await (isCallOfTask(method, params)
        ? callTask(used, params, asking)
        : used.request(method, params, asking))
      return result.isError === true ? hidden(result) : result
    } catch (error) {
      if (error instanceof Error) hideInError(error, hide)
      if (error instanceof NeedsSignIn) {
        if (used === sessions.now()) wantSignIn(error)
        throw down()
      }
      throw callFailure(name, error, used !== sessions.now() && !call.signal?.aborted)
    } finally {
      done()
    }
  }

  function hidden<Said>(said: Said): Said {
    return hiddenIn(said, hide)
  }

  function down() {
    return new ParleyError('mount_down', { server: name, problem: problem ?? `it is ${status}` })
  }

  function isCallOfTask(method: string, { name }: Raw): boolean {
    return method === 'tools/call' && tools.some((tool) => tool.name === name && isTask(tool))
  }

  /** Calls wait, and nothing has come for long: whoever is there answers this one. */
  function look() {
    const asked = sessions.now()
    if (!asked || status !== 'ready' || calls.count() === 0) return
    if (Date.now() - asked.heardAt() < patience.silenceMs) return
    const late = AbortSignal.timeout(patience.pingMs)
    asked
      .request(asked.isModern ? 'server/discover' : 'ping', {}, { signal: late })
      .catch(() => (late.aborted ? asked.giveUp('it does not answer any more') : undefined))
  }

  function pause() {
    stop('paused')
    firstTry.resolve()
  }

  function resume() {
    if (status !== 'paused') return
    backOff.reset()
    void connect()
  }

  /** Somebody signed in or out. */
  function accessChanged() {
    if (status === 'paused') return
    void stop('starting')
    backOff.reset()
    void connect()
  }

  function stop(next: MountStatus, why?: string, need?: NeedsSignIn) {
    clearTimeout(again)
    needed = need
    const ended = sessions.close()
    become(next, why)
    return ended
  }

  async function close() {
    clearInterval(watching)
    await stop('paused')
  }
}

const FILTER = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
