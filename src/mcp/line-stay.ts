import type { Server } from '@modelcontextprotocol/server'
import { conversationOfRun } from '../chat/conversation-name.ts'
import type { Putting, Seat } from '../chat/seat.ts'
import type { View } from '../chat/view.ts'
import type { FileStore } from '../files/file-store.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Hello, Slip } from '../protocol/link.ts'
import { localPrincipal, type Principal } from '../protocol/principal.ts'
import type { ChatSurface } from '../protocol/surface-name.ts'
import { agentSurface } from './agent-surface.ts'
import { bridgeSurface, type SeatedParts } from './bridge-surface.ts'
import type { Listening } from './listening.ts'
import type { Era, LineVisit } from './mounts.ts'
import { type AdmitCall, buildServer, type Caller } from './surface.ts'
import type { Visit } from './visit.ts'

/** The hub as lines need it. */
export interface LineHub {
  /** Who a line is that shows a token, or that speaks for a person. Throws when it may not. */
  principalOf(hello: Hello): Principal
  viewOf(principal: Principal): View
  files: FileStore
  /** A server of one of the surfaces that are no agent's. */
  serve(surface: ChatSurface, visit: LineVisit): Server
  /** What a client of the 2026 era listens to there, if there is anything. */
  listening(surface: ChatSurface, principal: Principal): Listening | undefined
  admit: AdmitCall
}

type Calls = NonNullable<Visit['calls']>

export type Stay = ReturnType<typeof createStay>

export interface StayParts {
  hello: Hello
  /** The first answers do not wait for it; the first call does. */
  hub: Promise<LineHub>
  page: SeatedParts['page']
  /** Whether who shows this can read the data folder, and is on this machine as its owner is. */
  isOwnersKey(shown: unknown): boolean
  /** Resolves when of other agents of its title it is known whether they are there. */
  othersSettled(): Promise<void>
}

/** One line in this hub, over all its connections: who it is, and the seats of its agent. */
export function createStay({ hello, hub, page, isOwnersKey, othersSettled }: StayParts) {
  const { surface, title, max_wait_seconds: maxWaitSeconds, folder, line } = hello
  const seats = new Map<string, Seat>()
  const named = hello.conversation ?? (hello.run === undefined ? undefined : conversationOfRun(title, hello.run))
  const since = Date.now()
  let client: string | undefined
  /** The seat of an agent that named no conversation, from its first call on. */
  let chosen: Promise<Seat> | undefined
  /** Whether its agent is expected back with the calls that end now. */
  let returns = false
  let isGone = false
  const who = needsHub(hello) ? hub.then(({ principalOf }) => principalOf(hello)) : Promise.resolve(LOCAL_AGENT)
  // Whoever needs one of these is told; a line that only starts and ends needs none.
  who.catch(ignore)
  /** Who it was let in as, where that may change. */
  let letIn: { principal: Principal; principalOf: LineHub['principalOf'] } | undefined
  if (needsHub(hello))
    Promise.all([hub, who])
      .then(([{ principalOf }, principal]) => {
        letIn = { principal, principalOf }
      })
      .catch(ignore)
  if (named !== undefined && (surface === 'bridge' || surface === 'agent')) seatIn(named).catch(ignore)
  return {
    hello,
    /** Rejects when this line may not come in. */
    allowed: who,
    isStill,
    build,
    listening,
    about: () => ({ client, conversation: [...seats.keys()].at(-1) ?? named ?? title, folder, since }),
    /** Its calls end, and are made again elsewhere. */
    expectBack: () => {
      returns = true
    },
    /** The next calls of a line that is back are as good as any. */
    isBack: () => {
      returns = false
    },
    remember,
    /** Its calls are answered now, so that they can come back later. */
    dismiss: () => {
      for (const seat of seats.values()) seat.dismiss()
    },
    leave,
  }

  /** Whether it is who it was when it came; throws when it may not come in any more. */
  function isStill(): boolean {
    if (!letIn) return true
    const { name, role, conversation } = letIn.principalOf(hello)
    const { principal } = letIn
    return name === principal.name && role === principal.role && conversation === principal.conversation
  }

  /** What its agent got from the hub before. */
  async function remember(slips: Slip[]) {
    for (const slip of slips) (await seatIn(slip.conversation)).remember(slip)
  }

  /** `settled` is told the conversation that was chosen, for the line to name it from then on. */
  async function build({ era }: { era: Era }, calls: Calls, settled: (conversation: string) => void): Promise<Server> {
    const admit: AdmitCall = async (call) => (await hub).admit(call)
    if (surface !== 'bridge' && surface !== 'agent') {
      const [{ serve }, principal] = await Promise.all([hub, who])
      return serve(surface, { era, principal, calls, conversation: named, folder })
    }
    // What is a path to somebody else may be another file here, and none of theirs.
    const sameMachine = isOwnersKey(hello.key)
    const files = async () => ({
      store: (await hub).files,
      sameMachine,
      takesPathsFrom: sameMachine ? folder : undefined,
    })
    const parts: SeatedParts = { seatOf, files, maxWaitSeconds, page }
    const principal = hello.token === undefined ? LOCAL_AGENT : await who
    return buildServer((surface === 'bridge' ? bridgeSurface : agentSurface)(parts), principal, { admit, ...calls })

    /** A client may speak for several runs of itself, each in a conversation of its own. */
    async function seatOf(caller: Caller, asking?: Putting[]): Promise<Seat> {
      client = caller.client
      const seat = await seatFor(caller, asking)
      seat.speaksAs(client)
      return seat
    }

    async function seatFor({ run }: Caller, asking?: Putting[]): Promise<Seat> {
      if (run !== undefined && hello.conversation === undefined) return seatIn(conversationOfRun(title, run))
      if (named !== undefined) return seatIn(named)
      chosen ??= choose(asking ?? [], settled).catch((error) => {
        chosen = undefined
        throw error
      })
      return chosen
    }
  }

  /** For one connection. */
  async function listening(): Promise<Listening | undefined> {
    if (surface === 'bridge' || surface === 'agent') return undefined
    const [{ listening }, principal] = await Promise.all([hub, who])
    return listening(surface, principal)
  }

  /** Where the same was asked before by a process that is gone, or in a conversation of its own. */
  async function choose(asking: Putting[], settled: (conversation: string) => void): Promise<Seat> {
    const [{ viewOf }, principal] = await Promise.all([hub, who, othersSettled()])
    const conversation = await viewOf(principal).leftBehind(title, asking)
    if (conversation !== undefined) settled(conversation)
    return seatIn(conversation ?? conversationOfRun(title, line))
  }

  async function seatIn(wanted: string): Promise<Seat> {
    const [{ viewOf }, principal] = await Promise.all([hub, who])
    if (isGone) throw new ParleyError('cancelled')
    const view = viewOf(principal)
    const conversation = view.only ?? wanted
    const seat =
      seats.get(conversation) ??
      view.seat({ conversation, title: hello.conversation ?? title, folder, returns: () => returns })
    seats.set(conversation, seat)
    return seat
  }

  function leave() {
    isGone = true
    for (const seat of seats.values()) seat.close()
    seats.clear()
  }
}

/** Whoever opens the socket is the owner's agent; what is more than that the hub has to allow. */
function needsHub({ token, surface }: Hello): boolean {
  return token !== undefined || (surface !== 'bridge' && surface !== 'agent')
}

const LOCAL_AGENT = localPrincipal('agent')

function ignore() {}
