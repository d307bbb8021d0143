import { randomUUID } from 'node:crypto'
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { unmasked } from '../../protocol/secrets/masking.ts'
import { isRecord } from '../../protocol/text/record.ts'
import type { AskOutcome, Happening } from '../driver.ts'
import { chatTools, isPost, isYield, readPosting } from './chat-tools.ts'
import type { McpTool, ToolOutput } from './mcp-servers.ts'
import type { ResultPart } from './messages.ts'
import type { ToolCall } from './step.ts'

interface ToolUseParts {
  mcpTools: McpTool[]
  instructions: string
  happens(happening: Happening): void
}

const NO_OBJECT = 'The arguments must be one JSON object'
const STOPPED = 'The person stopped this before it was done; whether it took effect is not known.'

/** The tools a model is offered, and what its calls do. */
export function createToolUse({ mcpTools, instructions, happens }: ToolUseParts) {
  const chat = chatTools(instructions)
  const ours = chat.map(({ name }) => name)
  const foreign = new Map(mcpTools.map((tool) => [ours.includes(tool.name) ? `${tool.name}_2` : tool.name, tool]))
  const offered = [...chat, ...[...foreign].map(asOffered)]
  return { offered, use }

  /** All calls of one step, next to each other. */
  async function use(calls: ToolCall[], signal: AbortSignal) {
    const results = await Promise.all(calls.map((call) => useOne(call, signal)))
    const posts = results.filter((_, n) => isPost(calls[n]?.toolName ?? ''))
    return {
      results: calls.map((call, n) => resultPart(call, results[n] ?? { text: '' })),
      // A model that could not say something is not done yet.
      yields: calls.some(({ toolName }) => isYield(toolName)) && !posts.some(({ failed }) => failed),
      posts: posts.some(({ failed }) => !failed),
      failed: results.length > 0 && results.every(({ failed }) => failed),
    }
  }

  async function useOne(call: ToolCall, signal: AbortSignal): Promise<ToolOutput> {
    if (isYield(call.toolName)) return { text: 'Your turn has ended.' }
    if (isPost(call.toolName)) return post(call.input)
    const id = randomUUID()
    const { toolName: tool_name, input } = call
    const tool = foreign.get(tool_name)
    if (tool?.governed) return useGoverned(tool, call, signal)
    happens({ type: 'tool', step: { id, tool_name, title: tool?.title, input, state: 'pending' } })
    const { text, failed } = await run()
    happens({ type: 'tool', step: { id, state: failed ? 'failed' : 'done', output: text } })
    return { text, failed }

    async function run(): Promise<ToolOutput> {
      if (!tool) return { text: `Unknown tool "${tool_name}"`, failed: true }
      if (!isRecord(input)) return { text: NO_OBJECT, failed: true }
      return unlessStopped(signal, async () => {
        const verdict = await approval(id, tool_name, input, signal)
        signal.throwIfAborted()
        if ('text' in verdict) return verdict
        happens({ type: 'tool', step: { id, input: verdict.input, state: 'running' } })
        return tool.call(verdict.input, signal)
      })
    }
  }

  /** The hub asks the person, and people see the call as the hub tells of it. */
  async function useGoverned(tool: McpTool, { input }: ToolCall, signal: AbortSignal): Promise<ToolOutput> {
    if (!isRecord(input)) return { text: NO_OBJECT, failed: true }
    return unlessStopped(signal, () => tool.call(input, signal))
  }

  function post(input: unknown): ToolOutput {
    const posting = readPosting(input)
    if (typeof posting === 'string') return { text: posting, failed: true }
    happens({ type: 'post', ...posting })
    return { text: 'Said.' }
  }

  /** The arguments as a person or a rule allows them, or why they are not. What is always allowed the hub knows. */
  async function approval(
    key: string,
    tool_name: string,
    input: object,
    signal: AbortSignal,
  ): Promise<ToolOutput | { input: unknown }> {
    const outcome = await asked(key, tool_name, input, signal)
    if (outcome.outcome === 'approved')
      return { input: outcome.input === undefined ? input : unmasked(JSON.parse(outcome.input), input) }
    const reason = outcome.outcome === 'denied' ? outcome.reason : outcome.outcome === 'answered' ? outcome.reply : ''
    return { text: `This call was not allowed${reason ? `: ${reason}` : '.'}`, failed: true }
  }

  function asked(key: string, tool_name: string, input: object, signal: AbortSignal): Promise<AskOutcome> {
    return new Promise((settled) => {
      signal.addEventListener('abort', () => settled({ outcome: 'withdrawn' }), { once: true })
      const approval = { tool_name, input: JSON.stringify(input) }
      happens({ type: 'ask', ask: { key, text: `May ${tool_name} be called?`, approval, step: key, settled } })
    })
  }
}

async function unlessStopped(signal: AbortSignal, use: () => Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    return await Promise.race([use(), stopOf(signal)])
  } catch (error) {
    if (!signal.aborted) throw error
    return { text: STOPPED, failed: true }
  }
}

/** The called tool may not listen to the signal, or may not even be there. */
function stopOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function asOffered([name, { description, inputSchema }]: [string, McpTool]): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema }
}

function resultPart({ toolCallId, toolName }: ToolCall, { text, failed }: ToolOutput): ResultPart {
  const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text }
  return { type: 'tool-result', toolCallId, toolName, output }
}
