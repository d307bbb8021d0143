import { randomUUID } from 'node:crypto'
import { BegunElsewhere, type MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import { objectionTo } from '../../chat/approvals/policing.ts'
import { attempt } from '../../io/attempt.ts'
import { ifError } from '../../io/if-error.ts'
import type { Decided } from '../../protocol/entries/approval.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { ifRefused, isRefusal } from '../../protocol/refusal.ts'
import type {
  CallResult,
  Ending,
  LoneCalls,
  MountedCall,
  PolicyDecision,
  ToolCallSubject,
  ToolNow,
} from '../../protocol/tools/gateway.ts'
import type { Counts } from '../policy/file/counts.ts'
import { createAskedCalls, type Upheld } from './asked-calls.ts'
import { createCallLog, type Logged } from './call-log.ts'
import type { Keeping } from './keeping.ts'
import { createLimits, type Limited } from './limits.ts'
import { type Asked, TOOL_CHANGED } from './question.ts'
import type { ToolPins } from './tool-pins.ts'
import { broughtBy, callerOf, denialIn, denialOf, goneTool, overLimit } from './words.ts'

export interface GovernorParts extends Keeping {
  calls: MountedCalls
  decide(subject: ToolCallSubject): PolicyDecision
  /** Hears which rule or which permission decided. */
  counts?: Pick<Counts, 'ruled' | 'granted'>
  toolPins: ToolPins
  alone: LoneCalls
  report(error: unknown): void
}

/**
 * The one way of a call to its mounted tool: a rule or a person lets it through, it is in the log, and it runs at most
 * once. What a person allows after its caller has gone runs all the same, and the caller is told when it comes again.
 */
export function createGovernor(parts: GovernorParts) {
  const { calls, decide, counts, toolPins, recall, report } = parts
  const log = createCallLog(parts)
  const limits = createLimits()
  const asked = createAskedCalls({ ...parts, log, refuse, upheld })
  /** Calls of lines that may make them again. */
  const running = new Map<string, Promise<CallResult>>()
  const ready = Promise.all([calls.ready, toolPins.ready]).then(asked.resume)
  ready.catch((error) => isClosing(error) || report(error))
  return { govern, close }

  async function govern(call: MountedCall): Promise<CallResult> {
    await ready
    const before = call.isRepeated ? await ranBefore(call) : undefined
    if (before) return before
    if (call.isGone) throw new ParleyError('unknown_tool', { tool: call.shown })
    const waiting = asked.waitingLike(call)
    const result = waiting === undefined ? beginOnce(call) : asked.attach(waiting, call)
    return asked.withLateResults(call, await result)
  }

  /** Its line may have made it at another hub, too. */
  function beginOnce(call: MountedCall): Promise<CallResult> {
    return begin(call).catch(
      ifError(BegunElsewhere, async (error) => {
        const result = await ranBefore(call)
        if (!result) throw error
        return result
      }),
    )
  }

  async function begin(called: MountedCall): Promise<CallResult> {
    const call = asIs(called, await called.now())
    const { subject, shown, fingerprint } = call
    const verdict = verdictOn(call)
    counts?.ruled(verdict)
    if (verdict.decision !== 'ask') {
      const { decision, rule, reason } = verdict
      // That no rule is about it needs no words.
      const decided = { decision, rule, reason: rule && reason }
      if (decision === 'allow') return run(call, decided, verdict)
      throw await refuse(loggedOf(call, decided), subject.arguments)
    }
    // Nobody is asked about what cannot run.
    await mustBeWithin(call, verdict, () => limits.mustFit(call, verdict))
    const { server, tool, arguments: input } = subject
    const wanted = { tool_name: shown, server, tool, fingerprint, input }
    const grant = await calls.grant(subject.conversation, wanted, callerOf(call))
    if (!grant) return asked.ask(call, verdict)
    counts?.granted(grant.since)
    return run(call, { decision: 'allow', by: grant.by, always: true }, verdict)
  }

  function verdictOn({ subject, fingerprint }: MountedCall): Asked {
    const verdict = decide(subject)
    if (verdict.decision.startsWith('deny') || toolPins.fits({ ...subject, fingerprint })) return verdict
    return { ...verdict, ...TOOL_CHANGED }
  }

  async function run(call: MountedCall, decided: Decided, verdict: Asked): Promise<CallResult> {
    const { subject, key } = call
    const held = verdict.limit && (await mustBeWithin(call, verdict, () => limits.take(call, verdict)))
    const logged = loggedOf(call, decided)
    toolPins.pin({ ...subject, fingerprint: call.fingerprint })
    const begun = log.begin(logged, subject.arguments)
    let isRunning = false
    begun.catch(() => isRunning || held?.giveBack())
    // What changes something is in the log before it runs; who only reads is written down meanwhile.
    if (!onlyReads(subject)) await begun
    const now = await call.now()
    if (now?.fingerprint !== call.fingerprint) {
      held?.giveBack()
      await begun
      return askAgain(call, now, logged)
    }
    if (!onlyReads(subject) && !(await isStillAllowed(call, decided))) {
      held?.giveBack()
      await log.end(logged, { error: new ParleyError('call_denied', { reason: TAKEN_BACK }) }, 0)
      return begin({ ...call, key: undefined })
    }
    if (held && call.signal.aborted) {
      held.giveBack()
      await begun
      return notRun(logged, new Error('The call was cancelled'))
    }
    isRunning = true
    const started = performance.now()
    const over = (ending: Ending) => {
      held?.end(ending)
      log.endSoon(logged, ending, performance.now() - started)
    }
    const ran = Promise.all([call.run(subject.arguments, over, held?.begin()), begun]).then(([result]) => result)
    if (key !== undefined) {
      const place = placeOf(subject, key)
      running.set(place, ran)
      const isOver = () => running.delete(place)
      ran.then(isOver, isOver)
    }
    return ran
  }

  /** What allowed it may have been taken back while it was written down. */
  async function isStillAllowed({ subject, shown, fingerprint, ...call }: MountedCall, { always }: Decided) {
    const { decision } = decide({ ...subject, at: Date.now() })
    if (decision !== 'ask' || !always) return decision === 'allow'
    const { server, tool, arguments: input } = subject
    const wanted = { tool_name: shown, server, tool, fingerprint, input }
    return (await calls.grant(subject.conversation, wanted, callerOf({ ...call, subject }))) !== undefined
  }

  async function notRun(logged: Logged, error: Error): Promise<never> {
    await log.end(logged, { error }, 0)
    throw error
  }

  /** A call over a limit is refused like one that a rule denies. */
  async function mustBeWithin<Taken>(call: MountedCall, verdict: PolicyDecision, take: () => Taken): Promise<Taken> {
    return attempt(
      take,
      ifRefused(async (error) => {
        throw await refuse(loggedOf(call, overLimit(error, verdict)), call.subject.arguments, false, error)
      }),
    )
  }

  /** It became another tool while it was written down. */
  async function askAgain(call: MountedCall, now: ToolNow | undefined, logged: Logged): Promise<CallResult> {
    const error = now ? new ParleyError('tool_changed', { tool: call.shown }) : goneTool(call.subject)
    await log.end(logged, { error }, 0)
    return asked.ask(asIs(call, now), TOOL_CHANGED)
  }

  /** A call that was made before, at this hub or another one, is never made twice. */
  async function ranBefore(call: MountedCall) {
    const { subject, key = '', shown } = call
    const { conversation, principal } = subject
    const found = running.get(placeOf(subject, key))
    if (found) return found
    const begun = await calls.begun(conversation, key)
    // Keys are of clients' making: whoever knows another's has not made that call.
    if (begun?.body.kind !== 'tool_call' || begun.body.asker !== principal) return undefined
    const { call_id = '', hub } = begun.body
    // One that a person was asked about is known to its caller once this answer arrives.
    if (calls.stateOf(call_id)?.question !== undefined) return asked.attach(call_id, call)
    const unwritten = log.unwritten(call_id)
    if (unwritten) return broughtBy(unwritten.ending)
    if (calls.isElsewhere({ hub })) await calls.over(conversation, call_id, call.signal)
    const result = await calls.resultOf(conversation, call_id)
    if (!result) throw new ParleyError('call_in_doubt', { tool: shown })
    const denial = denialIn(result)
    if (denial) throw denial
    return recall(result)
  }

  /**
   * A call that was allowed, by the rules as they are now, with the arguments that it would run with: a denial wins.
   */
  function upheld(call: Limited, before: Decided): Upheld {
    const verdict = decide({ ...call.subject, at: Date.now() })
    const decided = objectionTo(before.by ?? 'the policy', verdict)
    if (decided) counts?.ruled(verdict)
    if (decided) return { decided }
    return attempt(
      () => ({ decided: before, held: limits.take(call, verdict) }),
      ifRefused((error) => ({ decided: overLimit(error, verdict), error })),
    )
  }

  /** Writes the refused call down like one that runs, and returns the error that its caller gets. */
  async function refuse(
    logged: Logged,
    input: Record<string, unknown>,
    isLate = false,
    error = denialOf(logged.decided),
  ): Promise<ParleyError> {
    await log.begin(logged, input)
    await log.end(logged, { error }, 0, isLate)
    return error
  }

  async function close() {
    await asked.close()
    await log.close()
  }
}

const TAKEN_BACK = 'what allowed it was taken back meanwhile'

function loggedOf(
  { subject, shown, by, folder, visit, title, key, isRepeated }: MountedCall,
  decided: Decided,
  call_id: string = randomUUID(),
): Logged {
  const { server, tool, principal: asker, conversation, cwd } = subject
  return {
    call_id,
    conversation,
    by,
    server,
    tool,
    shown,
    asker,
    folder,
    visit,
    decided,
    naming: { title, folder: cwd },
    key,
    isRepeated,
  }
}

/** The call with what its server says of the tool by now. */
function asIs(call: MountedCall, now: ToolNow | undefined): MountedCall {
  if (!now) throw goneTool(call.subject)
  const { fingerprint, annotations } = now
  return { ...call, fingerprint, subject: { ...call.subject, annotations } }
}

function placeOf({ principal, conversation }: MountedCall['subject'], key: string): string {
  return JSON.stringify([principal, conversation, key])
}

/** True as far as its server tells. */
function onlyReads({ annotations = {} }: ToolCallSubject): boolean {
  return annotations.readOnlyHint === true
}

/** A hub may end before it knows everything. */
function isClosing(error: unknown): boolean {
  return isRefusal(error, 'shutting_down')
}
