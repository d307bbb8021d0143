import { agentEnvironment } from '../agent-environment.ts'
import type { DrivenSession, Happening, Prompt, SessionWanted, TurnEnd } from '../driver.ts'
import { POST, YIELD } from './chat-tools.ts'
import { openHistory } from './history.ts'
import { instructionsFor } from './instructions.ts'
import { languageModel } from './language-model.ts'
import { type McpServer, openMcpServers } from './mcp-servers.ts'
import type { Message } from './messages.ts'
import { keyVariable, type ModelPlace } from './model-place.ts'
import { type Step, StepFailed, takeStep, type Wait } from './step.ts'
import { createStepLimit } from './step-limit.ts'
import { createTelling } from './telling.ts'
import { createToolUse } from './tool-use.ts'

export interface SessionParts {
  place: ModelPlace
  servers: McpServer[]
  /** Only posted text is said; the model's plain text counts as thinking. */
  strictChat: boolean
  instructions?: string
  /** The folder in which the model's memory is kept. */
  stateFolder: string
  environment: NodeJS.ProcessEnv
  wait: Wait
  now(): number
  /** The time until the silence of the model is reported. */
  silentMs: number
}

const TOO_LONG = 'This is more than the model can take in; say it shorter, or begin a new conversation'
const FORGETS = 'The conversation is longer than the model can take in; it no longer knows the oldest part'
const CUT_SHORT = 'The answer is longer than the model may give at once; ask it to go on'
const SAY_IT = `Nobody has seen what you wrote: say it with ${POST}, or call ${YIELD}.`

/** One conversation with a model. */
export async function openSession(parts: SessionParts, wanted: SessionWanted): Promise<DrivenSession> {
  const { strictChat, environment } = parts
  const { folder } = wanted
  const others = agentEnvironment(environment, [keyVariable(parts.place.provider)])
  const { data, stdio } = wanted.parley
  const gateway = gatewayFor(wanted.parley, parts.place.name)
  const surroundings = { folder, environment: others, data, spared: stdio.args[0] }
  const servers = await openMcpServers([...parts.servers, ...gateway], surroundings)
  const history = openHistory(parts.stateFolder, wanted.resume)
  const instructions = instructionsFor({ folder, strictChat, own: parts.instructions })
  const tools = createToolUse({ mcpTools: servers.tools, instructions, happens })
  const steered: Message[] = []
  let place = parts.place
  /** Whether there will be another step for what is said now. */
  let open = false
  /** Whether people were shown anything in this turn. */
  let told = false
  let turn: { stop: AbortController; ended: Promise<TurnEnd> } | undefined
  await choose({ model: wanted.model ?? place.name })
  return {
    id: history.id,
    remembers: history.remembers,
    prompt,
    steer,
    interrupt,
    choose,
    stop,
    lost: new Promise(() => {}),
  }

  async function prompt(words: Prompt): Promise<TurnEnd> {
    if ((await words.giving?.()) === false) return { outcome: 'cancelled' }
    const stop = new AbortController()
    history.add(asMessage(words))
    turn = { stop, ended: take(stop.signal) }
    try {
      return await turn.ended
    } finally {
      turn = undefined
    }
  }

  async function steer(words: Prompt): Promise<boolean> {
    if (!open || turn?.stop.signal.aborted) return false
    steered.push(asMessage(words))
    return true
  }

  async function interrupt() {
    turn?.stop.abort()
    await turn?.ended
  }

  async function choose({ model }: { model?: string }) {
    if (!model) return
    place = { ...place, name: model }
    happens({ type: 'controls', models: { current: model, all: [{ id: model, name: model }] } })
  }

  async function stop() {
    await interrupt()
    await servers.close()
  }

  /** Steps until the model has nothing more to do. */
  async function take(signal: AbortSignal): Promise<TurnEnd> {
    let tokens: TurnEnd['tokens']
    let said = false
    const limit = createStepLimit(happens)
    open = true
    told = false
    let last = ''
    notice('')
    try {
      for (;;) {
        if (steered.length > 0) limit.begin()
        history.add(...steered.splice(0))
        const step = await nextStep(signal)
        tokens = sum(tokens, step.tokens)
        if (step.tokens) happens({ type: 'controls', context: { used: step.tokens.input + step.tokens.output } })
        history.add(...step.messages)
        const { results, yields, posts, failed } = await tools.use(step.calls, signal)
        if (results.length > 0) history.add({ role: 'tool', content: results })
        signal.throwIfAborted()
        said ||= posts
        if (steered.length > 0 || (results.length > 0 && !yields)) {
          const verdict = await limit.taken(failed, signal)
          signal.throwIfAborted()
          if (verdict === 'stop') return { outcome: 'cancelled', tokens }
          if (verdict !== 'go on') history.add({ role: 'user', content: verdict.words })
          continue
        }
        if (yields) happens({ type: 'yield' })
        else if (strictChat && !said && step.finish === 'stop') {
          // The model is asked only once: one that still says nothing has nothing to say.
          said = true
          history.add({ role: 'user', content: SAY_IT })
          continue
        }
        const end = endOf(step)
        if (!told && end.outcome === 'ended') last = `${place.name} ended its turn without an answer`
        return { ...end, tokens }
      }
    } catch (error) {
      if (signal.aborted) return { outcome: 'cancelled', tokens }
      if (!(error instanceof StepFailed)) throw error
      const { failure } = error
      return { outcome: 'failed', problem: failure.kind === 'over' ? failure.problem : TOO_LONG, tokens }
    } finally {
      open = false
      // These were taken in but never told to the model: it knows them with the next prompt.
      history.add(...steered.splice(0))
      notice(last)
    }
  }

  /** One step; the oldest part of the conversation is let go where it is too long. */
  async function nextStep(signal: AbortSignal): Promise<Step> {
    const telling = createTelling(happens, { strict: strictChat })
    const model = languageModel(place)
    const { wait, now, silentMs } = parts
    for (;;) {
      try {
        const { messages } = history
        const asked = {
          place,
          model,
          instructions,
          tools: tools.offered,
          messages,
          telling,
          signal,
          notice,
          wait,
          now,
          silentMs,
        }
        return await takeStep(asked)
      } catch (error) {
        if (error instanceof StepFailed && error.failure.kind === 'too_long' && history.forgetOldest()) {
          notice(FORGETS)
          continue
        }
        if (telling.text.said()) history.add({ role: 'assistant', content: telling.text.said() })
        throw error
      }
    }
  }

  function notice(text: string) {
    happens({ type: 'notice', text })
  }

  function happens(happening: Happening) {
    if (['text', 'thought', 'post', 'tool'].includes(happening.type)) told = true
    wanted.happens(happening)
  }
}

/** The mounted tools, for a model that is spoken for. */
function gatewayFor({ gateway, stdio }: SessionWanted['parley'], name: string): McpServer[] {
  return gateway ? [{ name, ...stdio, env: { ...stdio.env, PARLEY_DRIVEN: 'model' }, governs: true }] : []
}

function asMessage({ text, images = [] }: Prompt): Message {
  const files = images.map(({ mime, base64, name }) => ({
    type: 'file' as const,
    mediaType: mime,
    data: base64,
    filename: name,
  }))
  return { role: 'user', content: files.length > 0 ? [{ type: 'text', text }, ...files] : text }
}

function sum(one: TurnEnd['tokens'], other: TurnEnd['tokens']): TurnEnd['tokens'] {
  if (!one || !other) return one ?? other
  return { input: one.input + other.input, output: one.output + other.output }
}

function endOf({ finish }: Step): TurnEnd {
  if (finish === 'content-filter') return { outcome: 'refused' }
  if (finish === 'length') return { outcome: 'failed', problem: CUT_SHORT }
  return { outcome: 'ended' }
}
