import { type AskedCall, BegunElsewhere, type MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import { StillOpen } from '../../chat/questions/waiters.ts'
import { ifError } from '../../io/if-error.ts'
import type { Decided } from '../../protocol/entries/approval.ts'
import type { SettledEntry } from '../../protocol/entries/entry.ts'
import { stopInWords } from '../../protocol/entries/stops.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { CallResult, Ending, LoneCalls, MountedCall } from '../../protocol/tools/gateway.ts'
import type { CallLog, Logged } from './call-log.ts'
import type { Keeping } from './keeping.ts'
import { createLateResults } from './late-results.ts'
import { createLeftCalls } from './left-calls.ts'
import type { Held, Limited } from './limits.ts'
import { type Asked, askedOnceMore, changedBy, decidedBy, questionOf } from './question.ts'
import type { ToolPins } from './tool-pins.ts'
import { broughtBy, callerOf, endingOf, goneTool, identityOf, likeId, pending } from './words.ts'

interface AskedCallsParts extends Pick<Keeping, 'recall'> {
  calls: MountedCalls
  log: CallLog
  toolPins: ToolPins
  alone: LoneCalls
  refuse(logged: Logged, input: Input, isLate: boolean, error?: ParleyError): Promise<ParleyError>
  upheld(call: Limited, before: Decided): Upheld
  report(error: unknown): void
}

/** What becomes of a call that was allowed: it is held to its limit, or the error says that it is over. */
export interface Upheld {
  decided: Decided
  held?: Held
  error?: ParleyError
}

type Input = Record<string, unknown>

/**
 * Calls that a person decides about. The question stays when its caller goes: made again, the call waits for the same
 * one; allowed meanwhile, it runs for nobody, and its caller is told.
 */
export function createAskedCalls({ calls, log, toolPins, recall, alone, refuse, upheld, report }: AskedCallsParts) {
  /** The calls that are asked about now, with their inputs. */
  const inputs = new Map<string, Input>()
  /** How many wait for each. */
  const waiting = new Map<string, number>()
  const flights = new Map<string, Promise<CallResult>>()
  /** Calls whose servers want to know something first: their callers go on with them. */
  const halfway = new Set<string>()
  const { withLateResults, bring, tell, carryAnswer, isAnswering } = createLateResults({
    calls: { ...calls, answered },
    recall,
    report,
  })
  const following = calls.onSettled(flyAlone)
  const left = createLeftCalls({ calls, log, flyAlone, tell, onceWritten, report })
  return { ask, attach, waitingLike, resume: left.resume, withLateResults, close }

  /** The one that this call is made again for. After an answer, the same call is another one. */
  function waitingLike(call: MountedCall): string | undefined {
    if (!calls.isAnyAsked()) return undefined
    const id = calls.askedLike(`${identityOf(call)}.`, callerOf(call), (id) => waiting.has(id))
    return id !== undefined && !isAnswering(id) ? id : undefined
  }

  async function ask(call: MountedCall, why: Asked): Promise<CallResult> {
    const { subject } = call
    const id = likeId(identityOf(call))
    for (const old of inputs.keys()) if (!calls.stateOf(old) && !waiting.has(old)) inputs.delete(old)
    inputs.set(id, subject.arguments)
    waiting.set(id, 1)
    toolPins.meet({ ...subject, fingerprint: call.fingerprint })
    try {
      await calls.ask(subject.conversation, questionOf(call, id, why), { title: call.title, folder: subject.cwd })
    } finally {
      leave(id)
    }
    return attach(id, call)
  }

  /** Waits for what becomes of a call that was asked about, or brings what became of it. */
  async function attach(id: string, call: MountedCall): Promise<CallResult> {
    const { question = '', phase } = calls.stateOf(id) ?? {}
    if (phase === 'done' || phase === 'told') return bring(id, call)
    const unwritten = log.unwritten(id)
    if (unwritten && !flights.has(id)) {
      carryAnswer(id, call)
      return broughtBy(unwritten.ending)
    }
    waiting.set(id, (waiting.get(id) ?? 0) + 1)
    const late = AbortSignal.timeout(call.waitMs ?? LONGEST_MS)
    try {
      const signal = AbortSignal.any([call.signal, late])
      const settlement = await call.keepWaiting(() => calls.outcome(question, signal))
      if (settlement.body.outcome === 'withdrawn') throw await withdrawn(settlement)
      const flight = flights.get(id) ?? (isDecided(id) ? fly(id, call.signal.aborted ? undefined : call) : undefined)
      // It may have come to an end meanwhile, or to another hub.
      const brought = flight?.catch(ifError(BegunElsewhere, () => bringFromElsewhere(id, call, signal)))
      const result = await (brought ?? bringFromElsewhere(id, call, signal))
      if (calls.stateOf(id)?.phase === 'started' && !log.unwritten(id)) halfway.add(id)
      return result
    } catch (error) {
      if (error instanceof AskedAgain) return attach(error.id, { ...call, waitMs: leftOf(call) })
      const isLate = late.aborted && !call.signal.aborted && error === late.reason
      if (isLate || error instanceof StillOpen) return pending(question, call)
      throw error
    } finally {
      if (!halfway.has(id)) leave(id)
      flyAlone(id)
      const isOver = calls.stateOf(id)?.phase === 'done' || log.unwritten(id) !== undefined
      if (isOver && !isAnswering(id)) carryAnswer(id, call)
    }
  }

  /** What came of it at the hub that runs it, once it is over. */
  async function bringFromElsewhere(id: string, call: MountedCall, signal: AbortSignal): Promise<CallResult> {
    const owed = calls.stateOf(id)
    if (owed && calls.isElsewhere(owed)) await calls.over(owed.conversation, id, signal)
    return bring(id, call)
  }

  async function withdrawn(settlement: SettledEntry): Promise<ParleyError> {
    const stop = await calls.stopBehind(settlement)
    return new ParleyError('call_denied', { reason: stop ? stopInWords(stop.text) : 'it was withdrawn' })
  }

  /** The call is decided, and nothing has come of it yet. */
  function isDecided(id: string): boolean {
    const { phase } = calls.stateOf(id) ?? {}
    return phase === 'allowed' || phase === 'denied'
  }

  function leave(id: string) {
    const others = (waiting.get(id) ?? 1) - 1
    if (others > 0) waiting.set(id, others)
    else waiting.delete(id)
  }

  function flyAlone(id: string) {
    if (waiting.has(id) || flights.has(id) || !isDecided(id) || calls.isElsewhere(calls.stateOf(id))) return
    // Its caller is told; here it only matters that it is over.
    fly(id).catch(() => {})
  }

  function fly(id: string, call?: MountedCall): Promise<CallResult> {
    const flight = carryOut(id, call).finally(() => {
      flights.delete(id)
      inputs.delete(id)
    })
    flights.set(id, flight)
    return flight
  }

  async function carryOut(id: string, call: MountedCall | undefined): Promise<CallResult> {
    const { question = '', conversation = '' } = calls.stateOf(id) ?? {}
    const settlement = await calls.outcome(question, new AbortController().signal)
    const asked = (await calls.asked(question)) as AskedCall
    const shown = JSON.parse(asked.approval.input) as Input
    const original = inputs.get(id) ?? call?.subject.arguments ?? (asked.approval.masked ? await kept(question) : shown)
    const input = original && changedBy(settlement, original)
    const { decided, held, error: overLimit } = await decidedNow()
    const logged = { ...loggedFrom(asked, conversation, id), decided, key: call?.key }
    if (decided.decision !== 'allow') {
      const error = await refuse(logged, (decided.rule && input) ?? shown, !waiting.has(id), overLimit)
      await onceWritten(id, () => tellGone(id))
      throw error
    }
    await log.begin(logged, input ?? shown).catch(notRun)
    const started = performance.now()
    const over = async (ending: Ending) => {
      held?.end(ending)
      await log.end(logged, ending, performance.now() - started, !waiting.has(id))
      const isAnswered = halfway.delete(id)
      if (isAnswered) leave(id)
      await onceWritten(id, () => (isAnswered ? calls.answered(id) : tellGone(id)))
    }
    const { server, tool } = logged
    const { fingerprint = '', tool_name } = asked.approval
    // Only what was shown runs.
    if (!input) return failed(over, new ParleyError('secret_gone'))
    const { asker: principal, by: agent, folder } = logged
    const now = await (call ?? alone).now({ server, tool, principal, agent, folder })
    if (now?.fingerprint !== fingerprint) held?.giveBack()
    if (!now) return failed(over, goneTool({ server, tool }))
    if (now.fingerprint !== fingerprint) {
      await over({ error: new ParleyError('tool_changed', { tool: tool_name }) })
      throw new AskedAgain(await askAgain(id, asked, input, now.fingerprint))
    }
    toolPins.pin({ server, tool, fingerprint })
    if (call) return call.run(input, over, held?.begin())
    const ending = await endingOf(runAlone(input))
    await over(ending)
    if ('error' in ending) throw ending.error
    return ending.result

    /** The rules may be others since, and only here are the arguments whole: a denial wins. */
    async function decidedNow(): Promise<Upheld> {
      const before = decidedBy(settlement)
      if (before.decision !== 'allow' || !input) return { decided: before }
      const subject = call ? { ...call.subject, arguments: input } : await calls.subjectOf(conversation, asked, input)
      return upheld({ subject, shown: asked.approval.tool_name }, before)
    }

    async function runAlone(input: Input): Promise<CallResult> {
      const result = await alone.run({ server, tool, fingerprint, arguments: input }, held?.begin())
      held?.end({ result })
      return result
    }

    function notRun(error: unknown): never {
      held?.giveBack()
      throw error
    }
  }

  /** The input that a hub before this one kept, with its secrets. */
  async function kept(question: string): Promise<Input | undefined> {
    const input = await calls.clearInput(question)
    return input === undefined ? undefined : (JSON.parse(input) as Input)
  }

  /** Asks with what the tool is now, and the arguments that were allowed. */
  async function askAgain(before: string, asked: AskedCall, input: Input, fingerprint: string): Promise<string> {
    const { conversation = '' } = calls.stateOf(before) ?? {}
    const id = likeId(before)
    inputs.set(id, input)
    await calls.ask(conversation, askedOnceMore(asked, { id, input, fingerprint }))
    return id
  }

  async function failed(over: (ending: Ending) => Promise<void>, error: ParleyError): Promise<never> {
    await over({ error })
    throw error
  }

  /** Nobody waits for a disk that takes nothing, and nothing that goes wrong here takes a result away. */
  async function onceWritten(id: string, act: () => Promise<void>) {
    const { written } = log.unwritten(id) ?? {}
    const acted = (written ? written.then(act) : act()).catch(report)
    if (!written) await acted
  }

  async function tellGone(id: string) {
    if (!waiting.has(id) && !isAnswering(id)) await tell(id)
  }

  async function answered(id: string) {
    await log.unwritten(id)?.written
    await calls.answered(id)
  }

  /** Calls that run are waited for. */
  async function close() {
    following.close()
    left.close()
    await Promise.allSettled(flights.values())
  }
}

const LONGEST_MS = 2 ** 31 - 1

/** The tool has changed since it was allowed: callers that waited wait for the next question. */
class AskedAgain extends Error {
  readonly id: string

  constructor(id: string) {
    super()
    this.id = id
  }
}

/** How long its client still waits. */
function leftOf({ waitMs, subject }: MountedCall): number | undefined {
  return waitMs && Math.max(0, waitMs - (Date.now() - subject.at))
}

function loggedFrom({ by, asker = '', folder, visit, approval }: AskedCall, conversation: string, call_id: string) {
  const { server = '', tool = '', tool_name: shown } = approval
  return { call_id, conversation, by, server, tool, shown, asker, folder, visit, wasAsked: true }
}
