import type { Server } from '@modelcontextprotocol/server'
import { conversationOfRun } from '../../../chat/conversation/conversation-name.ts'
import type { AgentSession, Putting } from '../../../chat/delivery/agent-session.ts'
import type { View } from '../../../chat/view.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { visitOfDriven } from '../../../protocol/entries/agent.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { DeliveredIds, Hello, PlaceTaken } from '../../../protocol/frames/link.ts'
import type { ChatSurface } from '../../../protocol/frames/surface-name.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { Era } from '../era.ts'
import type { LineVisit } from '../mcp-endpoints.ts'
import type { Place, PlaceOf } from '../place.ts'
import type { Listening } from '../resources/listening.ts'
import { type AdmitCall, buildServer, type Caller } from '../surface.ts'
import { agentSurface } from '../surfaces/agent-surface.ts'
import { type AgentSurfaceParts, bridgeSurface } from '../surfaces/bridge-surface.ts'
import { drivenSurface } from '../surfaces/driven-surface.ts'
import { markOf, namedHome, runVisit, type Visit } from '../visit.ts'
import { createVisiting } from '../visiting.ts'
import type { Heirs } from './heirs.ts'
import { LOCAL_AGENT, letIn } from './let-in.ts'

/** The hub as lines need it. */
export interface LineHub {
  /** The principal of a line that shows a token, or that speaks for a person. Throws when it may not. */
  principalOf(hello: Hello): Principal
  viewOf(principal: Principal): View
  files: FileStore
  /** A server of one of the surfaces that are no agent's. */
  serve(surface: ChatSurface, visit: LineVisit): Server
  /** What a client of the 2026 era listens to there, if there is anything. */
  listening(surface: ChatSurface, principal: Principal, place: PlaceOf): Listening | undefined
  admit: AdmitCall
  /** Hears the name of an agent that looks at its tools. */
  met(client: string): void
}

/** A line that is back has made its calls again by then. */
const REPEATS_MS = 2000

type Calls = NonNullable<Visit['calls']>

export type LineSession = ReturnType<typeof createLineSession>

export interface LineSessionParts {
  hello: Hello
  /** The first answers do not wait for it; the first call does. */
  hub: Promise<LineHub>
  page: AgentSurfaceParts['page']
  /** Whether who shows this can read the data folder, and is on this machine as its owner is. */
  isOwnersKey(shown: unknown): boolean
  heirs: Heirs
  /** Called with each conversation that one of its agents is in. */
  joined(place: PlaceTaken): void
}

/** One line in this hub, over all its connections: who it is, and the sessions of its agent. */
export function createLineSession({ hello, hub, page, isOwnersKey, heirs, joined }: LineSessionParts) {
  const { surface, title, max_wait_seconds: maxWaitSeconds, folder, line } = hello
  const mark = markOf(line)
  const sessions = new Map<string, AgentSession>()
  const spoken = new Set<string>()
  /** Set once the hub is open. */
  let view: LineHub['viewOf'] = () => {
    throw new ParleyError('cancelled')
  }
  const isProven = isOwnersKey(hello.key)
  /** A driver gets the results of its calls, so that not every line may call itself one. */
  const isDriven = isProven && surface === 'gateway' && hello.driven !== undefined
  const named = namedHome({ principal: LOCAL_AGENT, named: hello.conversation, run: hello.run, title })?.conversation
  /** The conversation of an agent that was told none. */
  let own = hello.own ?? conversationOfRun(title, line)
  const since = Math.min(hello.began ?? Date.now(), Date.now())
  let client = hello.client
  let opened: [LineHub, Principal] | undefined
  /** The session of an agent that named no conversation, from its first call on. */
  let chosen: Promise<AgentSession> | undefined
  /** Runs until its agent has made its calls again. */
  let repeating: NodeJS.Timeout | undefined
  let isGone = false
  const visiting = createVisiting((principal) => view(principal), { began: since, came: joined })
  const { who, isStill } = letIn({ hello, hub, isProven })
  const begins = named ?? hello.own
  const hasAgentSessions = surface === 'bridge' || surface === 'agent'
  for (const place of hello.seats ?? []) isThere(place).catch(ignore)
  if (begins !== undefined && hasAgentSessions) isThere({ conversation: begins, run: hello.run }).catch(ignore)
  if (!hasAgentSessions && !isDriven && surface !== 'human' && surface !== 'orchestrator') attends().catch(ignore)
  return {
    hello,
    isProven,
    /** Rejects when this line may not come in. */
    allowed: who,
    isStill,
    build,
    listening,
    about: () => ({ client, conversation: [...sessions.keys()].at(-1) ?? named ?? title, folder, since }),
    /** Whether an agent of this name could be the one that this line had, or has; where it speaks, if that is known. */
    couldBe,
    speaksIn: () => (begins === undefined && hasAgentSessions ? [...spoken] : [begins ?? own, ...spoken]),
    /** Its calls end, and may be made again. */
    expectBack: () => {
      clearTimeout(repeating)
      lose(true)
    },
    isBack,
    remember,
    /** Its calls are answered now, so that they can come back later. */
    dismiss: () => {
      for (const session of sessions.values()) session.dismiss()
    },
    leave,
  }

  /** Words for an agent that has not spoken yet are no runner's. */
  async function attends() {
    const [{ viewOf }, principal] = await Promise.all([hub, who])
    view = viewOf
    visiting.begins({ ...principal, home: placeFor(principal, { client: '' }).home })
  }

  /** Its agent is there as it was at the hub before, and so before it calls. */
  async function isThere({ conversation, run }: PlaceTaken) {
    const [{ viewOf }, principal] = await Promise.all([hub, who])
    if (hasAgentSessions || hello.driven === 'agent') {
      const session = await sessionIn(conversation, run)
      if (client !== undefined) session.speaksAs(client)
    } else if (client !== undefined) {
      view = viewOf
      const { folder, visit } = placeFor(principal, { client, run })
      visiting.isHere({ client, principal, folder, visit, run }, conversation)
    }
  }

  /** Deliveries from this hub or the one before; remembered at once where possible, before they count as returned. */
  function remember(delivered: DeliveredIds[]) {
    for (const deliveredIds of delivered) {
      const session = sessions.get(deliveredIds.conversation)
      if (deliveredIds.calls) knows(deliveredIds.calls)
      else if (session) session.remember(deliveredIds)
      // The next call reports why there is no hub.
      else sessionIn(deliveredIds.conversation).then(({ remember }) => remember(deliveredIds), ignore)
    }
  }

  function knows(calls: string[]) {
    // Results that are not noted are told again.
    Promise.all([hub, who])
      .then(([{ viewOf }, principal]) => viewOf(principal).knows(calls))
      .catch(ignore)
  }

  /** `settled` is told the conversation that was chosen, for the line to name it from then on. */
  async function build({ era }: { era: Era }, calls: Calls, settled: (conversation: string) => void): Promise<Server> {
    const admit: AdmitCall = (call) => opened?.[0].admit(call) ?? hub.then(({ admit }) => admit(call))
    if (surface !== 'bridge' && surface !== 'agent') {
      const [{ viewOf, serve }, principal] = await Promise.all([hub, who])
      view = viewOf
      const placeOf: PlaceOf = (caller) => placeFor(principal, caller)
      const { home } = placeOf({ client: '' })
      if (home && !home.isNamed) settled(home.conversation)
      const atHome = { ...principal, home }
      const driven = drivenSurface(hello.driven, surfaceParts())
      return serve(surface, { era, principal: atHome, calls, placeOf, visiting, maxWaitSeconds, driven })
    }
    // The conversation may have been told over a connection that was lost.
    chosen?.then(() => settled(own)).catch(ignore)
    const principal = hello.token === undefined ? LOCAL_AGENT : await who
    const placeOf: PlaceOf = (caller) => placeFor(principal, caller)
    const built = (surface === 'bridge' ? bridgeSurface : agentSurface)(surfaceParts())
    const met = (name: string) => void hub.then(({ met }) => met(name), ignore)
    return buildServer(built, principal, { admit, met, placeOf, ...calls })

    function surfaceParts(): AgentSurfaceParts {
      // Somebody else's path may be another file here, and none of theirs.
      const takesPathsFrom = isProven ? folder : undefined
      const files = async () => {
        const [{ files: store, viewOf }, principal] = await Promise.all([hub, who])
        return { store, mayRead: viewOf(principal).files.mayRead, sameMachine: isProven, takesPathsFrom }
      }
      return { sessionOf, files, maxWaitSeconds, page }
    }

    /** A client may speak for several runs of itself, each in a conversation of its own. */
    async function sessionOf(caller: Caller, asking?: Putting[]): Promise<AgentSession> {
      client = caller.client
      const { home } = placeFor(caller.principal, caller)
      // One that went without goodbye may have asked the same; whether it comes back is known soon.
      const others = home?.isNamed && asking ? heirs.settled(hello) : undefined
      if (others) await others
      const session = await (home?.isNamed ? sessionIn(home.conversation, caller.run) : chosenFor(caller, asking))
      session.speaksAs(client)
      return session
    }

    function chosenFor(caller: Caller, asking: Putting[] = []): Promise<AgentSession> {
      chosen ??= choose(caller, asking, settled).catch((error) => {
        chosen = undefined
        throw error
      })
      return chosen
    }
  }

  /** The subscriptions of one connection. */
  async function listening(): Promise<Listening | undefined> {
    if (surface === 'bridge' || surface === 'agent') return undefined
    const [{ listening }, principal] = await Promise.all([hub, who])
    const place: PlaceOf = (caller) => placeFor(principal, caller)
    return listening(surface, { ...principal, home: place({ client: '' }).home }, place)
  }

  /**
   * The place of a call that names no conversation. A caller that speaks for a person, drives or administers means the
   * common one, unless it uses tools; an agent has one of its own.
   */
  function placeFor(principal: Principal, { run = hello.run }: { client: string; run?: string }): Place {
    const told = namedHome({ principal, named: hello.conversation, run, title })
    const mine = principal.role === 'agent' || surface === 'gateway'
    const home = told ?? (mine ? { conversation: own, isNamed: false, title } : undefined)
    return {
      home: home && { ...home, ...(isProven && { folder }) },
      folder: isProven ? folder : '',
      visit: visitOf(run),
    }
  }

  /**
   * Chooses the conversation where a process that is gone asked the same, if that can only have been this agent, or
   * else one of its own. A call that another hub knew has a place already.
   */
  async function choose(caller: Caller, asking: Putting[], settled: (conversation: string) => void) {
    const [{ viewOf }, principal] = await Promise.all([hub, who, heirs.settled(hello)])
    if (hello.own === undefined && !caller.isRepeated) {
      const whose = { folder: caller.folder, visit: caller.visit, began: since }
      const left = await viewOf(principal).leftBehind(title, whose, heirs.since(), asking)
      if (left !== undefined && heirs.isOnly(hello, caller.client, left)) own = left
    }
    settled(own)
    return sessionIn(own)
  }

  function visitOf(run: string | undefined): string {
    const visit = run === undefined ? mark : runVisit(run)
    return isDriven ? visitOfDriven(visit) : visit
  }

  /** The run whose conversation it is, as the line tells. */
  function runIn(conversation: string): string | undefined {
    return hello.seats?.find((place) => place.conversation === conversation)?.run ?? hello.run
  }

  function couldBe({ folder: theirs }: Hello, name: string): boolean {
    return theirs === folder && (client === undefined || client === name)
  }

  async function sessionIn(wanted: string, run = runIn(wanted)): Promise<AgentSession> {
    opened ??= await Promise.all([hub, who])
    const [{ viewOf }, principal] = opened
    if (isGone) throw new ParleyError('cancelled')
    const conversation = principal.conversation ?? wanted
    const taken = sessions.get(conversation)
    if (taken) return taken
    const called = { title: hello.conversation ?? title, folder, isProven }
    const session = viewOf(principal).agentSession({ conversation, ...called, visit: visitOf(run), began: since })
    sessions.set(conversation, session)
    spoken.add(conversation)
    joined({ conversation, run })
    return session
  }

  /** It makes its calls again at once; what is not among them it has cancelled meanwhile. */
  function isBack() {
    clearTimeout(repeating)
    lose(false)
    repeating = setTimeout(() => {
      for (const session of sessions.values()) session.isBack()
    }, REPEATS_MS).unref()
  }

  /** Tells those who know its visit whether it is lost. */
  function lose(isLost: boolean) {
    Promise.all([hub, who]).then(
      ([{ viewOf }, principal]) => viewOf(principal).lose(visitOf(undefined), isLost),
      ignore,
    )
  }

  /** `returns`: to another hub. */
  function leave(how: 'gone' | 'returns' = 'gone') {
    isGone = true
    clearTimeout(repeating)
    for (const session of sessions.values()) session.close(how)
    sessions.clear()
    visiting.leave()
  }
}

function ignore() {}
