import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import {
  type AgentContext,
  agent,
  ndJsonStream,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { VERSION } from '../../protocol/version.ts'
import { atDemoPace } from './demo-pace.ts'

const WORD_MS = 40
const FILE = 'greeting.txt'
const WRITTEN = 'Nothing was written.'
const CHANGE = {
  type: 'diff' as const,
  path: FILE,
  oldText: 'Dear reader,\n\nhello.\n',
  newText: 'Dear reader,\n\nhello from the demo.\nHave a good day!\n',
}
const OPTIONS = [
  { optionId: 'allow', name: 'Allow it', kind: 'allow_once' as const },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' as const },
  { optionId: 'reject', name: 'No', kind: 'reject_once' as const },
]
const MORE = 'Write `/tour` to see it all again, or choose another mode below.'
const MODES = [
  { id: 'ask', name: 'Ask', description: 'Asks before it pretends to change anything' },
  { id: 'plan', name: 'Plan', description: 'Only tells what it would do' },
]

interface Part {
  mode: string
  /** Whether the person allowed it for good. */
  isAllowed: boolean
  calls: number
  stop: AbortController
}

demoAgent()

/** A friendly scripted agent over stdio, so that a newcomer sees a driven conversation without any agent installed. It changes nothing. */
function demoAgent(): void {
  const parts = new Map<string, Part>()
  const connection = agent({ name: 'parley-demo' })
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentInfo: { name: 'parley-demo', title: 'Demo', version: VERSION },
      agentCapabilities: {},
    }))
    .onRequest('session/new', ({ client }) => {
      const sessionId = randomUUID()
      parts.set(sessionId, { mode: 'ask', isAllowed: false, calls: 0, stop: new AbortController() })
      const availableCommands = [{ name: 'tour', description: 'Shows once more what an agent can do here' }]
      // This follows the answer, which tells the session.
      setTimeout(() => {
        const update = { sessionUpdate: 'available_commands_update' as const, availableCommands }
        void client.notify('session/update', { sessionId, update })
      })
      return { sessionId, modes: { currentModeId: 'ask', availableModes: MODES } }
    })
    .onRequest('session/set_mode', ({ params }) => {
      const part = parts.get(params.sessionId)
      if (part) part.mode = params.modeId
      return {}
    })
    .onNotification('session/cancel', ({ params }) => parts.get(params.sessionId)?.stop.abort())
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const part = parts.get(sessionId) ?? { mode: 'ask', isAllowed: false, calls: 0, stop: new AbortController() }
      parts.set(sessionId, part)
      part.stop = new AbortController()
      // The first block has the words; the others are notes on files.
      const words = prompt.find((block) => block.type === 'text')?.text ?? ''
      await play(client, sessionId, part, words)
      return { stopReason: part.stop.signal.aborted ? ('cancelled' as const) : ('end_turn' as const) }
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))
  void connection.closed.then(() => process.exit(0))
}

async function play(client: AgentContext, sessionId: string, part: Part, words: string) {
  const { signal } = part.stop
  const quoted = words.trim().split('\n').at(-1)?.slice(0, 80)
  if (part.calls === 0 || words.includes('/tour')) await tour()
  else await stream('agent_message_chunk', `You wrote “${quoted}”. I know nothing more than my tour. ${MORE}`)

  async function tour() {
    await plan(0)
    await stream('agent_thought_chunk', 'Somebody is here. I show what I can do, and touch nothing on this machine.')
    await plan(1)
    await stream(
      'agent_message_chunk',
      `Hello! You wrote “${quoted}”. I am a **scripted agent**: Parley drives me from this page, as it drives Claude Code, Codex or Gemini CLI with \`parley run\`. This text grows while I write it, and you can stop me at any time.`,
    )
    if (part.mode === 'ask') await change()
    if (signal.aborted) return
    await plan(3)
    await stream(
      'agent_message_chunk',
      part.mode === 'plan' ? `In this mode I only tell what I would do. ${MORE}` : MORE,
    )
  }

  async function plan(done: number) {
    const steps = ['Greet you', 'Suggest a change', 'Say what comes next']
    const entries = steps.map((content, index) => {
      const status =
        index < done ? ('completed' as const) : index === done ? ('in_progress' as const) : ('pending' as const)
      return { content, status, priority: 'medium' as const }
    })
    if (!signal.aborted) await tell({ sessionUpdate: 'plan', entries })
  }

  async function change() {
    if (signal.aborted) return
    part.calls++
    const call = {
      toolCallId: `change-${part.calls}`,
      title: `Edit ${FILE}`,
      kind: 'edit' as const,
      content: [CHANGE],
      locations: [{ path: FILE, line: 1 }],
    }
    await plan(1)
    await tell({ sessionUpdate: 'tool_call', ...call, status: 'pending' })
    const isYes = part.isAllowed || (await isAllowed(call))
    if (signal.aborted) return
    const status = isYes ? ('completed' as const) : ('failed' as const)
    const content = [CHANGE, { type: 'content' as const, content: { type: 'text' as const, text: WRITTEN } }]
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status, content })
    await plan(2)
    const answer = isYes
      ? 'You allowed the change. A real agent would have written it now.'
      : 'You said no, so I leave it.'
    await stream('agent_message_chunk', answer)
  }

  async function isAllowed(toolCall: { toolCallId: string }): Promise<boolean> {
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', {
      sessionId,
      toolCall,
      options: OPTIONS,
    })
    const taken = outcome.outcome === 'selected' ? outcome.optionId : 'reject'
    part.isAllowed = taken === 'always'
    return taken !== 'reject'
  }

  async function stream(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string) {
    for (const piece of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
      if (signal.aborted) return
      await tell({ sessionUpdate, content: { type: 'text', text: piece } })
      await atDemoPace(WORD_MS)
    }
  }

  async function tell(update: SessionUpdate) {
    await client.notify('session/update', { sessionId, update })
  }
}
