import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import { CutStream, type Failure, judge } from './failure.ts'
import { collectAnswer, inputIn, type Message, promptOf } from './messages.ts'
import type { ModelPlace } from './model-place.ts'
import { watchSilence } from './silence.ts'
import type { Telling } from './telling.ts'

/** A tool that the model wants to be called; arguments that are no JSON stay the text that they are. */
export interface ToolCall {
  toolCallId: string
  toolName: string
  input: unknown
}

/** One answer of the model: what it said, and the tools that it wants to be called. */
export interface Step {
  messages: Message[]
  calls: ToolCall[]
  finish: LanguageModelV4FinishReason['unified']
  /** The token counts, where the service tells them. */
  tokens?: { input: number; output: number }
}

interface StepParts {
  place: ModelPlace
  model: LanguageModelV4
  instructions: string
  tools: LanguageModelV4FunctionTool[]
  messages: Message[]
  telling: Telling
  signal: AbortSignal
  notice(text: string): void
  wait: Wait
  now(): number
  silentMs: number
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

function saidBefore({ text }: Telling): Message[] {
  if (text.said() === '') return []
  return [
    { role: 'assistant', content: text.said() },
    { role: 'user', content: GO_ON },
  ]
}

async function attempt(parts: StepParts): Promise<Step> {
  const { model, instructions, tools, messages, telling, signal } = parts
  const abandoned = new AbortController()
  const step: Step = { messages: [], calls: [], finish: 'interrupted' }
  const answer = collectAnswer()
  const silence = watchSilence(parts.silentMs, parts.notice)
  try {
    const { stream } = await model.doStream({
      prompt: promptOf(instructions, messages),
      tools,
      toolChoice: { type: 'auto' },
      // Each step says everything again; what the service has seen already costs a tenth then.
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      abortSignal: AbortSignal.any([signal, abandoned.signal]),
    })
    for await (const part of stream) {
      silence.heard()
      answer.add(part)
      if (part.type === 'text-start') telling.text.begin()
      else if (part.type === 'text-delta') telling.text.hear(part.delta)
      else if (part.type === 'reasoning-start') telling.thought.begin()
      else if (part.type === 'reasoning-delta') telling.thought.hear(part.delta)
      else if (part.type === 'tool-call') step.calls.push(callIn(part))
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        step.finish = part.finishReason.unified
        const { inputTokens, outputTokens } = part.usage
        if (inputTokens.total !== undefined && outputTokens.total !== undefined)
          step.tokens = { input: inputTokens.total, output: outputTokens.total }
      }
    }
    signal.throwIfAborted()
    if (step.finish === 'interrupted' || step.finish === 'error') throw new CutStream()
    step.messages = answer.messages()
    return step
  } catch (error) {
    abandoned.abort()
    throw error
  } finally {
    silence.end()
  }
}

function callIn({ toolCallId, toolName, input }: LanguageModelV4ToolCall): ToolCall {
  return { toolCallId, toolName, input: inputIn(input) }
}
