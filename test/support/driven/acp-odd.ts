import { once } from 'node:events'
import { RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { Deed } from './acp-deeds.ts'

const OPTIONS = [
  { optionId: 'yes-1', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no-1', name: 'No', kind: 'reject_once' as const },
]

/** What real agents do beside the schema, or against what it suggests, in small. */
export const ODD: Record<string, Deed> = {
  /** Lines that are no messages, answers to nothing, and updates of kinds that nobody knows. */
  async odd({ session, say, tell }) {
    raw('Loaded cached credentials.')
    raw('\u001b[2J\u001b[H')
    raw('[1,2]')
    raw('{"half":')
    raw(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }))
    raw(JSON.stringify({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }))
    raw(JSON.stringify({ jsonrpc: '2.0', method: '_auth/status_update', params: { kind: 'api_key' } }))
    raw(JSON.stringify({ jsonrpc: '2.0', method: 'qwen/notify', params: {} }))
    await tell({ sessionUpdate: 'from_the_future', anything: [1] })
    await tell({ sessionUpdate: 'agent_message_chunk' })
    await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '' } })
    await tell({ sessionUpdate: 'plan', entries: [{ content: 'Look', status: 'weird' }, 'no entry'] })
    await tell({ sessionUpdate: 'tool_call' })
    await tell({
      sessionUpdate: 'tool_call',
      toolCallId: 'odd-1',
      status: 'exploded',
      content: 'no list',
      locations: {},
    })
    raw(JSON.stringify({ method: 'session/update', params: { sessionId: session, update: said('without version') } }))
    raw(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: null }))
    await say(' still here')
  },

  /** A new file in each of the three forms. */
  async files({ tell }) {
    for (const [toolCallId, old] of Object.entries({ a: { oldText: null }, b: { oldText: '' }, c: {} })) {
      const content = [{ type: 'diff', path: `/project/${toolCallId}.txt`, newText: 'new', ...old }]
      await tell({ sessionUpdate: 'tool_call', toolCallId, title: 'Write', kind: 'edit', content, status: 'completed' })
    }
  },

  /** The permission is the first that is heard of the call, and nothing follows a no. */
  /** Writes the arguments of a call as its text, in pieces, and has no place for them. */
  async written({ client, session, tell }, rest) {
    const call = { toolCallId: 'call-written', title: 'Bash' }
    const textual = (text: string) => [{ type: 'content' as const, content: { type: 'text' as const, text } }]
    const update = (more: object) => tell({ sessionUpdate: 'tool_call_update', ...call, ...more })
    await tell({ sessionUpdate: 'tool_call', ...call, kind: 'execute', status: 'pending', content: textual('{"comm') })
    if (rest) await update({ status: 'in_progress', content: textual(rest) })
    const content = textual('Requesting approval to Running: touch file')
    const asked = { sessionId: session, toolCall: { ...call, content }, options: OPTIONS }
    await client.request('session/request_permission', asked)
    await update({ status: 'completed', content: textual('{"made":"file"}') })
  },

  async unannounced({ client, session, say }) {
    const content = [{ type: 'diff' as const, path: '/project/a.txt', oldText: 'a', newText: 'b' }]
    const toolCall = { toolCallId: 'first-seen', title: 'Edit a.txt', kind: 'edit' as const, content }
    const options = [
      { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' as const },
      { optionId: 'proceed_mode', name: 'Allow, and switch the mode', kind: 'allow_once' as const },
      { optionId: 'cancel', name: 'Reject', kind: 'reject_once' as const },
    ]
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', {
      sessionId: session,
      toolCall,
      options,
    })
    await say(JSON.stringify(outcome))
  },

  /** A question of several answers as a permission. */
  async choice({ client, session, say }) {
    const toolCall = { toolCallId: 'question', title: 'Which colour?' }
    const options = [
      { optionId: 'q0_opt_0', name: 'Red', kind: 'allow_once' as const },
      { optionId: 'q0_opt_1', name: 'Blue', kind: 'allow_once' as const },
      { optionId: 'q0_skip', name: 'Skip', kind: 'reject_once' as const },
    ]
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', {
      sessionId: session,
      toolCall,
      options,
    })
    await say(JSON.stringify(outcome))
  },

  /** Two calls and two permissions for one command, both left as they are, and the text twice. */
  async twice({ client, session, tell, say }) {
    const options = [{ optionId: 'allow_once', name: 'Allow Once', kind: 'allow_once' as const }]
    for (const toolCallId of ['twice-1', 'twice-2']) {
      const title = 'Execute command: touch fileREQ_APP'
      const toolCall = { toolCallId, title, kind: 'execute' as const, rawInput: { command: 'touch fileREQ_APP' } }
      await tell({ sessionUpdate: 'tool_call', ...toolCall, status: 'pending' })
      await client.request<RequestPermissionResponse>('session/request_permission', {
        sessionId: session,
        toolCall,
        options,
      })
      await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
    }
    await say('\nAll ')
    await say('done.')
    await say('\nAll done.')
  },

  /** A call that runs already, and is asked about as if it waited. */
  async backwards({ client, session, tell }) {
    const toolCall = { toolCallId: 'backwards', title: 'touch file', status: 'pending' as const }
    const options = [{ optionId: 'once', name: 'Allow once', kind: 'allow_once' as const }]
    await tell({ sessionUpdate: 'tool_call', ...toolCall, status: 'in_progress' })
    await client.request('session/request_permission', { sessionId: session, toolCall, options })
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'backwards', status: 'completed' })
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'backwards', status: 'in_progress' })
  },

  /** Late news of a call of an earlier turn, and its id once more for another one. */
  async again({ tell }) {
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'twice-1', status: 'completed', rawOutput: 'late' })
    await tell({ sessionUpdate: 'tool_call', toolCallId: 'twice-1', title: 'Another', status: 'completed' })
    await tell({ sessionUpdate: 'tool_call', toolCallId: 'twice-1', title: 'server - operation', status: 'completed' })
  },

  /** Ends its turn first, and then says and finishes the rest. */
  async afterwards({ say, tell, session, client }) {
    const toolCallId = 'background'
    await tell({ sessionUpdate: 'tool_call', toolCallId, title: 'npm test', kind: 'execute', status: 'in_progress' })
    await say('It runs.')
    setTimeout(async () => {
      await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput: '3 passed' })
      await tell(said('All '))
      await tell(said('passed.'))
      const toolCall = { toolCallId: 'more', title: 'git push' }
      const options = [{ optionId: 'once', name: 'Allow once', kind: 'allow_once' as const }]
      const asked = { sessionId: session, toolCall, options }
      const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', asked)
      await tell(said(outcome.outcome === 'selected' ? 'Pushed.' : 'Not pushed.'))
    }, 300)
  },

  /** Everything in one line. */
  async long({ tell }, rest) {
    const description = 'x'.repeat(Number(rest))
    await tell({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'long', description }] })
  },

  /** A text and a permission that nobody could take, in depth or in length, and then what it got for an answer. */
  async excessive({ client, session, tell, say }, rest) {
    const anything =
      rest === 'deep' ? `${'['.repeat(200_000)}${']'.repeat(200_000)}` : `"${'x'.repeat(33 * 1024 * 1024)}"`
    const params = `{"sessionId":"${session}","options":[],"toolCall":{"toolCallId":"excess","rawInput":${anything}}}`
    const update = `{"sessionUpdate":"tool_call","toolCallId":"excess","rawInput":${anything}}`
    await whole(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${session}","update":${update}}}`)
    await whole(`{"jsonrpc":"2.0","id":"excess","method":"session/request_permission","params":${params}}`)
    // The one behind it is answered as ever.
    const toolCall = { toolCallId: 'plain', title: 'plain' }
    await client.request('session/request_permission', { sessionId: session, toolCall, options: OPTIONS })
    await tell(said('done'))
    await say('.')
  },

  /** More than an entry takes, wherever it can say something. */
  async verbose({ client, session, tell }) {
    const long = 'w'.repeat(2_000_000)
    const locations = Array.from({ length: 20_000 }, (_, line) => ({ path: `/project/${line}.txt`, line }))
    const call = { toolCallId: 'verbose', kind: 'edit', title: long, locations, status: 'completed' }
    await tell({ sessionUpdate: 'tool_call', ...call })
    const entries = Array.from({ length: 20_000 }, (_, n) => ({
      content: `Step ${n} ${'s'.repeat(90)}`,
      status: 'pending',
    }))
    await tell({ sessionUpdate: 'plan', entries })
    const toolCall = { toolCallId: 'asked', title: `touch ${long} end` }
    await client.request('session/request_permission', { sessionId: session, toolCall, options: OPTIONS })
    throw new RequestError(-32603, 'Internal error', { message: long })
  },

  /** Says something of another session than that of the turn. */
  async elsewhere(_, rest) {
    raw(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: rest, update: said(rest) } }))
  },

  /** Counts that cannot be. */
  async negative({ tell }) {
    const cost = { amount: -3, currency: 'USD' }
    await tell({ sessionUpdate: 'usage_update', used: -5, size: -9, cost })
    await tell({ ...said('less than none'), _meta: { usage: { inputTokens: -10, outputTokens: 2 } } })
    return { usage: { inputTokens: -1200, outputTokens: -34, totalTokens: -7 } }
  },

  /** Tokens on chunks without text. */
  async along({ tell, say }) {
    const _meta = { usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } }
    const content = { type: 'text', text: '' }
    await say('counted')
    await tell({ sessionUpdate: 'agent_message_chunk', content, _meta })
    await tell({ sessionUpdate: 'agent_message_chunk', content, _meta })
  },
}

function said(text: string) {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
}

function raw(line: string) {
  process.stdout.write(`${line}\n`)
}

/** What the SDK writes while there is no room is lost. */
async function whole(line: string) {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}
