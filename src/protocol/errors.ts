import { DOOR_ERRORS } from './door-errors.ts'
import { GATEWAY_ERRORS } from './gateway-errors.ts'
import { LIMIT_ERRORS } from './limit-errors.ts'

/** Every way Parley says no: one sentence, and how each door puts it. */
export const ERRORS = {
  bad_json: { text: 'This is not valid JSON', http: 400, rpc: -32700 },
  bad_text: { text: 'This is not valid UTF-8 text', http: 400, rpc: -32700, close: 1007 },
  no_rpc: { text: 'This is not a JSON-RPC 2.0 message', http: 400, rpc: -32600 },
  invalid: { text: '{problem}', http: 400, rpc: -32602 },
  unknown_type: { text: 'There is no frame of type "{type}" here', http: 400, rpc: -32601 },
  unknown_dialect: { text: 'There is no dialect "{dialect}"; there are {known}', http: 400, rpc: -32602 },
  no_dialect: { text: 'Offer a dialect beside the token; there are {known}', http: 400, rpc: -32602 },
  hello_first: { text: 'Say hello first', http: 400, rpc: -32600 },
  file_empty: { text: 'This file is empty', http: 400, rpc: -32602 },
  unknown_file: { text: 'There is no file "{hash}"; upload it first', http: 404, rpc: -32004 },
  no_such_part: { text: 'There is no such part of a file with {size} bytes', http: 416, rpc: -32602 },
  no_image: { text: 'Images are PNG, JPEG, GIF or WebP, and "{name}" is none of them', http: 400, rpc: -32602 },
  unreadable_image: { text: 'The image {path} cannot be read ({reason})', http: 400, rpc: -32602 },
  verdict_only: { text: 'A call is allowed or denied; files cannot come along', http: 400, rpc: -32602 },
  unknown_question: { text: 'There is no question "{question}"', http: 404, rpc: -32004 },
  unknown_message: { text: 'There is no message "{message}" here', http: 404, rpc: -32004 },
  not_revisable: {
    text: 'Only words of your own that are neither taken back nor a stop can be taken back or changed',
    http: 409,
    rpc: -32009,
  },
  no_reply: { text: 'The question was {outcome} without a reply', http: 410, rpc: -32010 },
  no_answer_yet: {
    text: 'Nobody answered within {seconds} s. The question stays open: wait again with question_id "{question}"',
    http: 408,
    rpc: -32008,
  },
  withdrawn_unanswered: {
    text: 'Nobody answered within {seconds} s, and the question was withdrawn',
    http: 408,
    rpc: -32008,
  },
  unknown_choice: { text: '"{choice}" is none of the options', http: 400, rpc: -32602 },
  one_choice: {
    text: 'Choose one of the options, or several where the question takes several',
    http: 400,
    rpc: -32602,
  },
  no_verdict: { text: 'This question wants a reply, not a verdict', http: 400, rpc: -32602 },
  option_wanted: { text: 'This call has options of its own; take one of them, or deny it', http: 400, rpc: -32602 },
  bad_input: { text: 'The changed arguments must be a JSON object', http: 400, rpc: -32602 },
  not_held: { text: 'You do not hold "{conversation}"; call hold_conversation first', http: 409, rpc: -32009 },
  held_by_other: { text: '"{conversation}" is held by {holder}', http: 409, rpc: -32009 },
  question_settled: { text: 'This question is not open any more', http: 409, rpc: -32009 },
  unknown_conversation: { text: 'There is no conversation "{conversation}"', http: 404, rpc: -32004 },
  unknown_name: { text: 'There is no conversation "{conversation}"; {hint}', http: 404, rpc: -32004 },
  unknown_format: { text: 'There is no format "{format}"; there are {known}', http: 400, rpc: -32602 },
  no_log: { text: 'There is no log in {data}; choose another folder with --data', http: 500, rpc: -32603 },
  export_cut: { text: 'The hub ended before it had told everything; try again', http: 503, rpc: -32000 },
  refused_by_hub: { text: '{reason}', http: 404, rpc: -32004 },
  unknown_runner: {
    text: 'There is no runner "{runner}" now; start it with parley run --name "{runner}"',
    http: 404,
    rpc: -32004,
  },
  runner_taken: {
    text: 'A runner "{name}" is there already, in {folder}; choose another name with --name, or end that one first',
    http: 409,
    rpc: -32009,
  },
  default_taken: {
    text: '"{name}" is the default runner already; end it first, or start this one without --default',
    http: 409,
    rpc: -32009,
  },
  runner_problem: { text: '{problem}', http: 409, rpc: -32009 },
  runner_of_one: {
    text: 'People begin conversations with a runner, and {name} may see only one; use a token for all of them',
    http: 403,
    rpc: -32003,
  },
  not_offered: { text: 'This agent has no {what} "{wanted}"; it has {known}', http: 400, rpc: -32602 },
  partial_gap: {
    text: 'The text "{id}" is known up to {known}; show it from there, or from 0',
    http: 409,
    rpc: -32009,
  },
  no_search: { text: 'This hub cannot search', http: 501, rpc: -32601 },
  key_used: {
    text: 'This key was used for something else, and nothing was done; send it again with another key',
    http: 409,
    rpc: -32009,
  },
  conflict: { text: 'The conversation moved on; read it and try again', http: 409, rpc: -32009 },
  forbidden_host: { text: 'Parley does not answer to the host "{host}"', http: 403, rpc: -32003 },
  forbidden_origin: { text: 'Pages of "{origin}" may not talk to Parley', http: 403, rpc: -32003 },
  unknown_server: { text: 'There is no server "{server}"; there are {known}', http: 404, rpc: -32602 },
  no_legacy_ui: {
    text: 'This hub was started with --no-legacy-ui and has no server ui; use --surface chat, and loop to yield turns',
    http: 404,
    rpc: -32601,
  },
  unknown_tool: { text: 'There is no tool "{tool}"', http: 404, rpc: -32602 },
  forbidden_role: { text: 'This is for {roles}, and {name} is {role}', http: 403, rpc: -32003 },
  unknown_resource: { text: 'There is no resource {uri}', http: 404, rpc: -32002 },
  pinned: { text: 'This subscription is pinned; an ordinary unsubscribe does not end it', http: 409, rpc: -32602 },
  unknown_subscriber: { text: 'There is no subscriber "{subscriber}"', http: 404, rpc: -32602 },
  subscriber_taken: { text: '"{subscriber}" has a token of its own; choose another name', http: 409, rpc: -32009 },
  owner_only: { text: 'This is for whoever can read the data folder, not only its socket', http: 403, rpc: -32003 },
  not_found: { text: 'There is nothing at {path}', http: 404, rpc: -32601 },
  unknown_session: { text: 'This MCP session is not known; initialize a new one', http: 404, rpc: -32001 },
  foreign_session: { text: 'This MCP session belongs to another client', http: 403, rpc: -32003 },
  on_its_way: {
    text: 'A call of the agent may bring it some of these messages just now; try again in 1 s',
    http: 409,
    rpc: -32009,
    retry_s: 1,
  },
  cancelled: { text: 'The wait was cancelled', http: 499, rpc: -32800 },
  come_back: {
    text: 'Parley is shutting down. The question stays open: come back in a moment with question_id "{question}"',
    http: 503,
    rpc: -32000,
  },
  shutting_down: {
    text: 'Parley is shutting down; come back in a moment',
    http: 503,
    rpc: -32000,
    close: 1001,
    retry_s: 5,
  },
  not_recovered: { text: 'Parley is still reading its log; come back in a moment', http: 503, rpc: -32000, retry_s: 1 },
  log_failed: { text: 'The log cannot be used any more; restart Parley', http: 503, rpc: -32603 },
  data_gone: {
    text: '{data} was removed or replaced while Parley used it, and this hub ends; start it again',
    http: 503,
    rpc: -32603,
  },
  port_taken: {
    text: 'Port {port} is used by another program; choose another with --port or PORT',
    http: 500,
    rpc: -32603,
  },
  token_needed: { text: 'This hub asks for a token, and none came along', http: 401, rpc: -32003 },
  token_unknown: { text: 'This token is not known here; it may have been replaced', http: 401, rpc: -32003 },
  token_revoked: { text: 'The token of {name} was revoked', http: 401, rpc: -32003 },
  token_expired: { text: 'The token of {name} expired on {date}', http: 401, rpc: -32003 },
  signed_out: {
    text: 'This browser is signed out; sign in with parley open, or with a new link from parley token link NAME',
    http: 401,
    rpc: -32003,
  },
  link_spent: { text: 'This link was used already or is too old; parley open makes another', http: 410, rpc: -32010 },
  unknown_principal: { text: 'There is no token of {name}; see parley token list', http: 404, rpc: -32004 },
  tokens_damaged: {
    text: '{path} is damaged or no list of tokens ({reason}); it was left as it is',
    http: 500,
    rpc: -32603,
  },
  tokens_busy: {
    text: 'Another process is changing the tokens and does not finish: it holds {path}',
    http: 503,
    rpc: -32000,
    retry_s: 5,
  },
  data_unwritable: { text: '{reason}', http: 500, rpc: -32603 },
  data_shared: {
    text: 'Others can write in {folder}: take that from them with chmod go-w, or choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  data_foreign: { text: '{data} belongs to another user; choose another folder with --data', http: 500, rpc: -32603 },
  data_in_use: { text: '{reason}; choose another folder with --data', http: 500, rpc: -32603 },
  hub_runs: {
    text: 'A hub of {data} runs already: open {url}, or choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  no_socket: {
    text: 'There can be no socket for {data} ({reason}); choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  link_format: {
    text: 'This hub is of Parley {hub} and does not understand Parley {line}: restart the agent with the newer one, or end the hub with parley stop',
    http: 400,
    rpc: -32600,
  },
  hub_failed: { text: 'The hub ended before it could be used; see {log}', http: 500, rpc: -32603 },
  hub_silent: { text: 'The hub (process {pid}) does not answer; {advice}', http: 503, rpc: -32000 },
  foreign_socket: { text: '{path} belongs to another user; choose another folder with --data', http: 500, rpc: -32603 },
  no_process: {
    text: 'No process can be started for the hub ({reason}); run parley serve with the same --data yourself',
    http: 500,
    rpc: -32603,
  },
  old_node: {
    text: 'Parley needs Node {oldest} or newer, and this is {version}: install a newer one, or try npx -p node@24 node {program}',
    http: 500,
    rpc: -32603,
  },
  other_settings: {
    text: 'The hub was started with another {flags}; end it with parley stop to have yours',
    http: 409,
    rpc: -32009,
  },
  state_unusable: {
    text: '{path} cannot be used ({reason}); name another file with --state',
    http: 500,
    rpc: -32603,
  },
  state_unwritable: {
    text: 'The runner cannot write to its disk ({reason}), and gives nothing new to its agents; make room, and it goes on by itself',
    http: 503,
    rpc: -32603,
    retry_s: 1,
  },
  runner_runs: {
    text: 'This runner runs already, in another process that has {path} open; give this one another name with --name',
    http: 409,
    rpc: -32009,
  },
  data_corrupt: { text: '{reason}', http: 500, rpc: -32603 },
  no_model_name: {
    text: '"{model}" names no model; say PROVIDER:NAME, such as anthropic:claude-sonnet-4-5 or ollama:qwen3',
    http: 400,
    rpc: -32602,
  },
  unknown_provider: {
    text: 'There is no provider "{provider}"; there are {known}, and any other that speaks as OpenAI does with --base-url',
    http: 400,
    rpc: -32602,
  },
  no_base_url: {
    text: '"{url}" is no address of a service; it begins with http:// or https://',
    http: 400,
    rpc: -32602,
  },
  no_api_key: { text: 'There is no key for {provider}; set {variable} in the environment', http: 400, rpc: -32602 },
  mcp_server_failed: {
    text: 'The MCP server "{server}" cannot be used ({reason}); check its command or address',
    http: 500,
    rpc: -32603,
  },
  no_folder: { text: 'There is no folder {folder}; make it, or name another with --cwd', http: 400, rpc: -32602 },
  no_program: {
    text: 'The program "{program}" cannot be started ({reason}); install it, or give its path',
    http: 500,
    rpc: -32603,
  },
  no_acp: {
    text: '{agent} does not speak ACP: {reason}; many agents do only with an option such as --acp',
    http: 500,
    rpc: -32603,
  },
  no_agent: { text: '{agent} ended before it could be used: {how}', http: 500, rpc: -32603 },
  agent_ended: { text: '{agent} is gone: {how}', http: 503, rpc: -32603 },
  agent_login: { text: '{agent} wants a login: {how}, then try again', http: 503, rpc: -32603 },
  agent_failed: { text: '{agent} failed: {problem}', http: 502, rpc: -32603 },
  ...GATEWAY_ERRORS,
  ...DOOR_ERRORS,
  ...LIMIT_ERRORS,
  usage: { text: '{problem}', http: 400, rpc: -32602 },
  fault: { text: 'Something went wrong inside Parley: {problem}', http: 500, rpc: -32603 },
  internal: { text: 'Something went wrong inside Parley', http: 500, rpc: -32603 },
} as const satisfies Record<string, Refusal>

interface Refusal {
  text: string
  http: number
  rpc: number
  close?: number
  /** When to try again, where nothing better is known. */
  retry_s?: number
}

export type ErrorCode = keyof typeof ERRORS

export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly code: ErrorCode
  /** What the sentence is made of, so that another process can say the same. */
  readonly details: Record<string, string | number>
  /** When trying again makes sense. */
  readonly retryAfterSeconds?: number

  constructor(code: ErrorCode, details: Record<string, string | number> = {}, cause?: unknown) {
    super(sentence(code, details), cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
    const { retry_s }: Refusal = ERRORS[code]
    const seconds = details.seconds ?? retry_s
    if (seconds !== undefined) this.retryAfterSeconds = Number(seconds)
  }
}

function sentence(code: ErrorCode, details: Record<string, string | number>): string {
  return ERRORS[code].text.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole))
}
