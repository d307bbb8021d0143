import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Approval, Body } from '../../../src/protocol/entries/entry.ts'
import type { Driven, DrivingEvent, Partial, Runner } from '../../../src/protocol/frames/driving.ts'

type Told = { session_id?: never } & Record<string, unknown>

export const RUNNER: Runner = { name: 'api', folder: '/home/ada/api', agent: 'claude-agent-acp', max_sessions: 4 }

export const MODES = {
  current: 'ask',
  all: [
    { id: 'ask', name: 'Always ask' },
    { id: 'plan', name: 'Plan' },
  ],
}
export const MODELS = {
  current: 'sonnet',
  all: [
    { id: 'sonnet', name: 'Sonnet' },
    { id: 'opus', name: 'Opus' },
  ],
}

export type Orchestrator = Awaited<ReturnType<typeof connectOrchestrator>>
export type Driving = Awaited<ReturnType<Orchestrator['drive']>>

/** A program that drives agents, as `parley run` does, and does what a test says. */
export async function connectOrchestrator(url: string, holder = 'test') {
  const client = new Client({ name: 'claude-code', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/orchestrator', url)))
  return { offer, withdraw, drive, close: () => client.close() }

  async function call<Answer = object>(name: string, args: Record<string, unknown>): Promise<Answer> {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
    if (isError) throw new Error(JSON.stringify(content))
    return structuredContent as Answer
  }

  async function offer(runner: Runner = RUNNER) {
    await call('offer_runner', { holder, runner, seconds: 300 })
  }

  async function withdraw(name: string) {
    await call('withdraw_runner', { holder, name })
  }

  /** Holds the conversation; everything else is said and done in it. */
  async function drive(session_id: string) {
    const { wish } = await call<{ wish: object }>('hold_conversation', { session_id, holder, seconds: 300 })
    const held = { session_id, holder }
    const events = async () => (await call<{ events: DrivingEvent[] }>('read_events', { session_id })).events
    const event = (type: Body['kind'], told: Told) => call('chat_assistant_event', { session_id, type, ...told })
    return {
      wish,
      show: (driven: Driven) => call('show_driven', { ...held, driven }),
      grow: (partials: Partial[], gone?: string[]) => call('show_partial', { ...held, partials, gone }),
      say: (content: string, key?: string) =>
        call('chat_assistant_post', { session_id, mime: 'text/markdown', content, key }),
      event,
      end: (told: Told = {}) => call('yield_turn', { session_id, ...told }),
      ask: (key: string, text: string, approval: Approval) => call('ask_person', { ...held, key, text, approval }),
      async receive(key: string) {
        const { messages } = await call<{ messages: { id: string }[] }>('chat_read_since', { session_id })
        return call('receive_messages', { ...held, key, messages: messages.map(({ id }) => id) })
      },
      /** The options that were taken. */
      settled: async () => (await events()).flatMap((event) => (event.type === 'settled' ? event.option : [])),
      wishes: async () =>
        (await events()).flatMap(({ type, id: _, session_id: __, ...wish }) => (type === 'wish' ? wish : [])),
      offer,
    }
  }
}
