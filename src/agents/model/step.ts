import {
  type FinishReason,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  type TypedToolCall,
} from 'ai'
import { CutStream, type Failure, judge } from './failure.ts'
import type { ModelPlace } from './model-place.ts'
import type { Telling } from './telling.ts'

/** One answer of the model: what it said, and the tools that it wants to be called. */
export interface Step {
  messages: ModelMessage[]
  calls: TypedToolCall<ToolSet>[]
  finish: FinishReason
  /** The token counts, where the service tells them. */
  tokens?: { input: number; output: number }
}

interface StepParts {
  place: ModelPlace
  model: LanguageModel
  instructions: string
  tools: ToolSet
  messages: ModelMessage[]
  telling: Telling
  signal: AbortSignal
  notice(text: string): void
  wait: Wait
  now(): number
}

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** The step cannot be taken. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
  readonly failure: Exclude<Failure, { kind: 'again' }>

  constructor(failure: StepFailed['failure']) {
    super(failure.kind)
    this.failure = failure
  }
}

const MOST_TRIES = 6
const FIRST_WAIT_MS = 1000
/** The longest wait that a service may ask for; beyond it, coming back later is better. */
const LONGEST_WAIT_MS = 15 * 60_000
const GO_ON =
  'The connection was cut in the middle of your answer. The person has seen everything above. Go on exactly where it stops, and repeat nothing.'

/** Takes a step, again and again where trying again can help. What was said before a cut stays. */
export async function takeStep(parts: StepParts): Promise<Step> {
  const { telling, signal, place, notice, wait, now } = parts
  for (let tries = 1; ; tries += 1) {
    const before = saidBefore(telling)
    try {
      const step = await attempt({ ...parts, messages: [...parts.messages, ...before] })
      telling.finish()
      return telling.text.repeats() ? step : { ...step, messages: [...before, ...step.messages] }
    } catch (error) {
      signal.throwIfAborted()
      const failure = judge(error, place, now)
      if (failure.kind !== 'again') throw new StepFailed(failure)
      const ms = failure.waitMs ?? FIRST_WAIT_MS * 2 ** (tries - 1)
      if (tries === MOST_TRIES || ms > LONGEST_WAIT_MS)
        throw new StepFailed({ kind: 'over', problem: `${failure.problem}; try again later` })
      notice(`${failure.problem}; trying again in ${Math.ceil(ms / 1000)} s`)
      await wait(ms, signal)
      notice('')
      telling.again()
    }
  }
}

function saidBefore({ text }: Telling): ModelMessage[] {
  if (text.said() === '') return []
  return [
    { role: 'assistant', content: text.said() },
    { role: 'user', content: GO_ON },
  ]
}

async function attempt({ model, instructions, tools, messages, telling, signal }: StepParts): Promise<Step> {
  const abandoned = new AbortController()
  const answer = streamText({
    model,
    instructions,
    tools,
    messages,
    // Each step says everything again; what the service has seen already costs a tenth then.
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    maxRetries: 0,
    abortSignal: AbortSignal.any([signal, abandoned.signal]),
    // Errors are parts of the stream; without this they are written to stderr too.
    onError() {},
  })
  const step: Step = { messages: [], calls: [], finish: 'interrupted' }
  try {
    for await (const part of answer.stream) {
      if (part.type === 'text-start') telling.text.begin()
      else if (part.type === 'text-delta') telling.text.hear(part.text)
      else if (part.type === 'reasoning-start') telling.thought.begin()
      else if (part.type === 'reasoning-delta') telling.thought.hear(part.text)
      else if (part.type === 'tool-call') step.calls.push(part)
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        step.finish = part.finishReason
        const { inputTokens: input, outputTokens: output } = part.totalUsage
        if (input !== undefined && output !== undefined) step.tokens = { input, output }
      }
    }
    signal.throwIfAborted()
    if (step.finish === 'interrupted' || step.finish === 'error') throw new CutStream()
    // Results of tools come from who calls them.
    step.messages = (await answer.responseMessages).filter(({ role }) => role === 'assistant')
    return step
  } catch (error) {
    abandoned.abort()
    throw error
  }
}
