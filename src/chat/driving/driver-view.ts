import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { DrivingAnswer, DrivingRequest } from '../../protocol/frames/asked/driving-request.ts'
import type { Driven, FailedRun, Runner } from '../../protocol/frames/driving.ts'
import { localPrincipal, mustBeAble, type Principal } from '../../protocol/principal.ts'
import type { ChatService } from '../chat-service.ts'
import type { Asked } from './asked/requests.ts'
import type { DrivenAsking } from './driven-questions.ts'
import type { DrivingEvents } from './driving-events.ts'
import { contextOf } from './going-on.ts'
import type { Held } from './leases.ts'
import type { Growth } from './partials.ts'

export type DriverView = ReturnType<typeof driverView>

interface DriverViewParts {
  service: Pick<
    ChatService,
    'page' | 'leases' | 'conversation' | 'receive' | 'tellEarlier' | 'drivenQuestions' | 'driving'
  >
  events: DrivingEvents
  principal: Principal
  /** Throws where the principal may not see it. */
  seen(conversation: string): string
  maySee(conversation: string): boolean
  scope(conversation: string | undefined): string | undefined
}

/** The view of a principal that drives agents. */
export function driverView({ service, events, principal, seen, maySee, scope }: DriverViewParts) {
  const { leases, driving, drivenQuestions } = service
  mustBeAble(principal, 'drive')
  return {
    acquire,
    release: async (conversation: string, holder: string) => leases.release(seen(conversation), holder, principal),
    missing,
    mustHold,
    /** Messages that are about to be given to the agent: the answer has those that nobody had. */
    receive: held(service.receive),
    tellEarlier: held(service.tellEarlier),
    earlier: held(({ conversation }) => contextOf(service.page, conversation)),
    /** The outcome is an event. */
    ask: held((lease, asked: DrivenAsking) => drivenQuestions.ask(lease, principal.id, asked)),
    withdraw: held(drivenQuestions.withdraw),
    newestEvents: async (conversation: string | undefined) => events.newest(scope(conversation)),
    eventsSince: async (conversation: string | undefined, after: string, limit?: number) =>
      events.readSince(scope(conversation), after, limit),
    showDriven: held(({ conversation }, driven: Driven) => driving.show(conversation, driven)),
    showPartial: held(({ conversation }, growth: Growth) => driving.grow(conversation, growth)),
    /** The time until which it is offered, unless it is offered again. */
    offerRunner(runner: Runner, holder: string, seconds?: number): number {
      mustSeeAll()
      if (driving.runners.isLaunched(runner.name)) mustBeStarted(runner.name)
      return driving.offer(runner, own(holder), seconds)
    },
    withdrawRunner: (name: string, holder: string) => driving.runners.withdraw(name, own(holder)),
    /** Tells of what is asked of the processes that this principal is. */
    onRequests: (listener: (request: DrivingRequest) => void) => driving.requests.onRequest(principal, listener),
    answerRequest: (request: string, holder: string, answer: DrivingAnswer) =>
      driving.requests.answer(request, holder, principal, answer),
    /** The time until which people see it. */
    showFailedRun(runner: FailedRun): number {
      mustSeeAll()
      return driving.fail(runner)
    },
  }

  /** Answers the holder, the end of its lease, and the person's run settings. */
  async function acquire(conversation: string, holder: string, seconds: number) {
    const now = await leases.acquire(seen(conversation), holder, principal, seconds * 1000)
    const { wish: runSettings = {} } = await service.conversation(conversation)
    const held = now.holder === holder && now.principal === principal.id
    if (held) driving.begin(conversation)
    return { held, ...now, wish: runSettings }
  }

  /** Those of the conversations that do not exist; nothing is said of any that this principal may not see. */
  async function missing(conversations: string[]): Promise<string[]> {
    const own = conversations.filter(maySee)
    const pages = await Promise.all(
      own.map((conversation) => service.page(conversation, { after: BEFORE_ALL, limit: 1 })),
    )
    return own.filter((_, n) => pages[n]?.entries.length === 0)
  }

  async function mustHold(conversation: string, holder: string): Promise<Held> {
    const lease = await leases.mustHold(seen(conversation), holder, principal)
    // The hub may be new to it.
    driving.begin(conversation)
    return lease
  }

  /** Makes it an act that only the holder of the lease may do. */
  function held<Rest extends unknown[], Result>(act: (lease: Held, ...rest: Rest) => Result) {
    return async (conversation: string, holder: string, ...rest: Rest): Promise<Awaited<Result>> => {
      return await act(await mustHold(conversation, holder), ...rest)
    }
  }

  function mustSeeAll() {
    if (principal.conversation !== undefined) throw new ParleyError('runner_of_one', { name: principal.name })
  }

  /** What the hub starts comes through the folder, where nobody shows a token. */
  function mustBeStarted(name: string) {
    const { folder } = driving.runners.named(name)
    if (principal.id !== localPrincipal('orchestrator').id) throw new ParleyError('runner_taken', { name, folder })
  }

  function own(holder: string): Asked {
    return { holder, principal: principal.id }
  }
}
