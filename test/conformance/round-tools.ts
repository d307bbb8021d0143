import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
} from '@modelcontextprotocol/server'
import { says } from './content.ts'
import type { TestTool } from './tools.ts'

/** Keeps what a call must remember between its rounds with the client, who cannot change it. */
export const memory = createRequestStateCodec<{ round: number }>({ key: crypto.getRandomValues(new Uint8Array(32)) })

const askModel = inputRequired.createMessage({
  messages: [{ role: 'user', content: { type: 'text', text: 'Say a greeting' } }],
  maxTokens: 50,
})

/** The tools of the suite that get what they need from a 2026-era client in further rounds of the same call. */
export const ROUND_TOOLS: TestTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Needs a name.',
    call(_input, { mcpReq }) {
      const name = acceptedContent(mcpReq.inputResponses, 'user_name')?.name
      return typeof name === 'string' ? says(`Hello, ${name}!`) : needs({ user_name: askText('name') })
    },
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Needs the model.',
    call: (_input, { mcpReq }) =>
      mcpReq.inputResponses?.greeting ? says('The model answered') : needs({ greeting: askModel }),
  },
  {
    name: 'test_missing_capability',
    description: 'Needs the model of a client that has none.',
    call: () => needs({ greeting: askModel }),
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Needs the roots.',
    call: (_input, { mcpReq }) =>
      mcpReq.inputResponses?.client_roots ? says('Saw the roots') : needs({ client_roots: inputRequired.listRoots() }),
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Needs everything at once.',
    async call(_input, { mcpReq }) {
      const requests = { user_name: askText('name'), greeting: askModel, client_roots: inputRequired.listRoots() }
      const complete = Object.keys(requests).every((key) => mcpReq.inputResponses?.[key])
      return complete ? says('Have it all') : needs(requests, 1)
    },
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Remembers its first round.',
    call: (_input, { mcpReq }) =>
      mcpReq.requestState<{ round: number }>()?.round === 1 ? says('state-ok') : needs({ confirm: askText('ok') }, 1),
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Trusts no memory but its own.',
    call: (_input, { mcpReq }) =>
      mcpReq.requestState<{ round: number }>()?.round === 1
        ? says('integrity-ok')
        : needs({ confirm: askText('ok') }, 1),
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Needs two rounds.',
    call(_input, { mcpReq }) {
      const { round } = mcpReq.requestState<{ round: number }>() ?? { round: 0 }
      if (round === 0) return needs({ step1: askText('name') }, 1)
      return round === 1 ? needs({ step2: askText('color') }, 2) : says('Both rounds done')
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Needs only what the client said it can do.',
    call(_input, { mcpReq }) {
      if (mcpReq.inputResponses) return says('Have it')
      const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
      const { elicitation, sampling } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
      return needs({ ...(elicitation && { user_name: askText('name') }), ...(sampling && { greeting: askModel }) })
    },
  },
]

export function askText(field: string) {
  return inputRequired.elicit({
    message: `Please tell the ${field}`,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
}

async function needs(inputRequests: InputRequests, round?: number) {
  return inputRequired({ inputRequests, requestState: round === undefined ? undefined : await memory.mint({ round }) })
}
