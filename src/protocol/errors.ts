/** Every way Parley says no: one sentence, and how each door puts it. */
export const ERRORS = {
  bad_json: { text: 'This JSON cannot be read', http: 400, rpc: -32700 },
  no_rpc: { text: 'A JSON-RPC 2.0 message was expected', http: 400, rpc: -32600 },
  id_in_use: { text: 'A call with this id still waits for its answer', http: 400, rpc: -32600 },
  invalid: { text: '{problem}', http: 400, rpc: -32602 },
  unknown_type: { text: 'Unknown frame type "{type}"', http: 400, rpc: -32601 },
  unknown_dialect: { text: 'Unknown dialect "{dialect}"; known: {known}', http: 400, rpc: -32602 },
  no_dialect: { text: 'Offer a dialect along with the token; known: {known}', http: 400, rpc: -32602 },
  hello_first: { text: 'Say hello first', http: 400, rpc: -32600 },
  file_empty: { text: 'This file is empty', http: 400, rpc: -32602 },
  unknown_file: { text: 'Unknown file "{hash}"; upload it first', http: 404, rpc: -32004 },
  no_such_part: { text: 'The file has only {size} bytes', http: 416, rpc: -32602 },
  no_image: { text: '"{name}" is not a PNG, JPEG, GIF or WebP image', http: 400, rpc: -32602 },
  unreadable_image: { text: 'The image {path} cannot be read ({reason})', http: 400, rpc: -32602 },
  verdict_only: { text: 'A call is only allowed or denied; files cannot be attached', http: 400, rpc: -32602 },
  unknown_question: { text: 'Unknown question "{question}"', http: 404, rpc: -32004 },
  unknown_message: { text: 'Unknown message "{message}"', http: 404, rpc: -32004 },
  not_revisable: {
    text: 'Only your own messages can be changed or taken back, and neither a stop nor one that was taken back',
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
  unknown_choice: { text: '"{choice}" is not one of the options', http: 400, rpc: -32602 },
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
  unknown_request: { text: 'Nobody waits for an answer to "{request}" any more', http: 409, rpc: -32009 },
  question_settled: { text: 'This question is no longer open', http: 409, rpc: -32009 },
  unknown_conversation: { text: 'Unknown conversation "{conversation}"', http: 404, rpc: -32004 },
  unknown_name: { text: 'Unknown conversation "{conversation}"; {hint}', http: 404, rpc: -32004 },
  unknown_format: { text: 'Unknown format "{format}"; known: {known}', http: 400, rpc: -32602 },
  no_log: { text: '{data} holds no log; choose another folder with --data', http: 500, rpc: -32603 },
  export_cut: { text: 'The hub ended before the export was complete; try again', http: 503, rpc: -32000 },
  refused_by_hub: { text: '{reason}', http: 404, rpc: -32004 },
  unknown_runner: {
    text: 'Runner "{runner}" is gone; start it with parley run --name "{runner}"',
    http: 404,
    rpc: -32004,
  },
  runner_taken: {
    text: 'A runner "{name}" is already there, in {folder}; choose another name with --name, or end that one first',
    http: 409,
    rpc: -32009,
  },
  default_taken: {
    text: '"{name}" is already the default runner; end it first, or start this one without --default',
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
  unknown_server: { text: 'The server "{server}" is unknown; known: {known}', http: 404, rpc: -32602 },
  no_legacy_ui: {
    text: 'This hub was started with --no-legacy-ui and has no server ui; use --surface chat, and loop to yield turns',
    http: 404,
    rpc: -32601,
  },
  unknown_tool: { text: 'Unknown tool "{tool}"', http: 404, rpc: -32602 },
  forbidden_role: { text: 'This is for {roles}, and {name} is {role}', http: 403, rpc: -32003 },
  unknown_resource: { text: 'Unknown resource {uri}', http: 404, rpc: -32002 },
  pinned: { text: 'This subscription is pinned; an ordinary unsubscribe does not end it', http: 409, rpc: -32602 },
  unknown_subscriber: { text: 'Unknown subscriber "{subscriber}"', http: 404, rpc: -32602 },
  subscriber_taken: { text: '"{subscriber}" has a token of its own; choose another name', http: 409, rpc: -32009 },
  owner_only: { text: 'This is for whoever can read the data folder, not only its socket', http: 403, rpc: -32003 },
  not_found: { text: 'This hub has nothing at {path}', http: 404, rpc: -32601 },
  unknown_session: { text: 'Unknown MCP session; initialize a new one', http: 404, rpc: -32001 },
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
  log_failed: { text: 'The log can no longer be used; restart Parley', http: 503, rpc: -32603 },
  data_gone: {
    text: '{data} was removed or replaced while Parley used it, and this hub ends; start it again',
    http: 503,
    rpc: -32603,
  },
  build_gone: {
    text: 'Parley was updated or removed while this hub ran, which ends; the next agent, or parley serve, starts the new one',
    http: 503,
    rpc: -32000,
  },
  port_taken: {
    text: 'Port {port} is used by another program; choose another with --port or PORT',
    http: 500,
    rpc: -32603,
  },
  token_needed: { text: 'This hub requires a token', http: 401, rpc: -32003 },
  token_unknown: { text: 'Unknown token; it may have been replaced', http: 401, rpc: -32003 },
  token_revoked: { text: 'The token of {name} was revoked', http: 401, rpc: -32003 },
  token_expired: { text: 'The token of {name} expired on {date}', http: 401, rpc: -32003 },
  signed_out: {
    text: 'This browser is signed out; sign in with parley open, or with a new link from parley token link NAME',
    http: 401,
    rpc: -32003,
  },
  link_spent: {
    text: 'This link was already used or has expired; parley open makes a new one',
    http: 410,
    rpc: -32010,
  },
  unknown_principal: { text: 'Unknown token name {name}; see parley token list', http: 404, rpc: -32004 },
  tokens_damaged: {
    text: '{path} is damaged or not a list of tokens ({reason}); it was left as it is',
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
  data_is_file: { text: '{path} is a file; name a folder with --data', http: 400, rpc: -32602 },
  no_data_folder: {
    text: '{data} cannot be made ({reason}); choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  data_shared: {
    text: 'Others can write in {folder}: take that from them with chmod go-w, or choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  data_foreign: { text: '{data} belongs to another user; choose another folder with --data', http: 500, rpc: -32603 },
  data_in_use: { text: '{reason}; choose another folder with --data', http: 500, rpc: -32603 },
  hub_runs: {
    text: 'A hub for {data} is already running: open {url}, or choose another folder with --data',
    http: 500,
    rpc: -32603,
  },
  no_socket: {
    text: 'The socket for {data} cannot be made ({reason}); choose another folder with --data',
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
    text: 'The hub cannot be started ({reason}); run parley serve with the same --data yourself',
    http: 500,
    rpc: -32603,
  },
  no_services: {
    text: 'Parley installs a service with systemd or launchd only; have whatever starts programs here run parley serve',
    http: 500,
    rpc: -32603,
  },
  foreign_service: { text: '{file} was not made by Parley; remove it first', http: 500, rpc: -32603 },
  service_failed: { text: 'The system refused the service: {command} failed ({reason})', http: 500, rpc: -32603 },
  npx_cache: {
    text: 'This Parley is in the cache of npx, which is cleared now and then: npm install --global {name} keeps one',
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
    text: 'This runner is already running, in another process that has {path} open; give this one another name with --name',
    http: 409,
    rpc: -32009,
  },
  data_corrupt: { text: '{reason}', http: 500, rpc: -32603 },
  no_model_name: {
    text: '"{model}" is not a model; write PROVIDER:NAME, such as anthropic:claude-sonnet-4-5 or ollama:qwen3',
    http: 400,
    rpc: -32602,
  },
  unknown_provider: {
    text: 'Unknown provider "{provider}"; known: {known}, and any other that speaks as OpenAI does with --base-url',
    http: 400,
    rpc: -32602,
  },
  no_base_url: {
    text: '"{url}" is not the address of a service; it must begin with http:// or https://',
    http: 400,
    rpc: -32602,
  },
  no_api_key: { text: '{provider} needs a key; set {variable} in the environment', http: 400, rpc: -32602 },
  mcp_server_failed: {
    text: 'The MCP server "{server}" cannot be used ({reason}); check its command or address',
    http: 500,
    rpc: -32603,
  },
  removed_folder: { text: 'This folder was removed; go to another one', http: 400, rpc: -32602 },
  no_folder: { text: '{folder} does not exist; make it, or name another with --cwd', http: 400, rpc: -32602 },
  not_a_folder: { text: '{path} is a file; name a folder with --cwd', http: 400, rpc: -32602 },
  no_launcher: {
    text: 'This hub starts no agents; run one that keeps a data folder, with parley open',
    http: 409,
    rpc: -32009,
  },
  foreign_launch: { text: 'Agents can be started from the hub’s own page only', http: 403, rpc: -32003 },
  unknown_agent: { text: 'Unknown agent "{agent}"; known: {known}', http: 404, rpc: -32004 },
  agent_missing: { text: '{hint}', http: 409, rpc: -32009 },
  adapter_wanted: {
    text: '{agent} needs {package} {version}; allow that it is fetched, then start again',
    http: 409,
    rpc: -32009,
  },
  many_agents: {
    text: '{count} agents are awake already, and each takes its share of this machine; stop one, or start one more',
    http: 409,
    rpc: -32009,
  },
  adapter_failed: { text: '{package} could not be fetched ({reason}); try again later', http: 502, rpc: -32603 },
  folder_gone: { text: '{folder} is gone or cannot be read', http: 404, rpc: -32004 },
  folder_forbidden: {
    text: '{folder} is outside of what the owner allowed ({roots}); allow it with --root',
    http: 403,
    rpc: -32003,
  },
  folderless: { text: 'The conversation "{conversation}" has no folder', http: 404, rpc: -32004 },
  file_outside: { text: '{path} is outside of the folder of the conversation', http: 403, rpc: -32003 },
  file_gone: { text: 'The file {path} is gone or cannot be read', http: 404, rpc: -32004 },
  no_worktree: { text: 'The working tree for {branch} could not be made ({reason})', http: 409, rpc: -32009 },
  no_sessions: { text: 'The sessions of {agent} cannot be listed: {reason}', http: 502, rpc: -32010 },
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

  // Mounted servers, and what tools may be used for
  unknown_mount: { text: 'Unknown mount "{name}"; known: {known}', http: 404, rpc: -32004 },
  mount_taken: { text: 'A mount "{name}" already exists; remove it first', http: 409, rpc: -32009 },
  mount_down: { text: 'The server "{server}" cannot be used now: {problem}', http: 503, rpc: -32000 },
  mount_lost: { text: 'The server "{server}" was lost during the call: {problem}', http: 502, rpc: -32000 },
  mount_odd: { text: 'The server "{server}" gave no answer that can be used: {problem}', http: 502, rpc: -32000 },
  sign_in_impossible: { text: 'Signing in to "{name}" is not possible: {problem}', http: 409, rpc: -32009 },
  sign_in_failed: { text: 'The sign-in to "{name}" failed: {problem}', http: 502, rpc: -32000 },
  sign_in_refused: { text: 'The sign-in to "{name}" was refused', http: 403, rpc: -32003 },
  sign_in_late: { text: 'The sign-in to "{name}" took too long; start again', http: 408, rpc: -32008 },
  sign_in_unknown: {
    text: 'Unknown sign-in: it was already used, took too long or was started again; start again',
    http: 410,
    rpc: -32010,
  },
  sign_ins_damaged: { text: '{path} is not a list of sign-ins; remove it and sign in again', http: 500, rpc: -32603 },
  mounts_damaged: {
    text: '{path} is not a list of MCP servers ({reason}); it was left as it is',
    http: 500,
    rpc: -32603,
  },
  views_damaged: { text: 'The views in {path} cannot be used: {problem}', http: 500, rpc: -32603 },
  mounts_gone: { text: '{path} is gone; what stood in it stays mounted', http: 500, rpc: -32603 },
  mounts_unused: { text: 'Mounts stay as they were: {problem}', http: 500, rpc: -32603 },
  not_all_shown: {
    text: 'Part of this call is not shown here; allow it on the page of the hub, or deny it',
    http: 409,
    rpc: -32009,
  },
  too_many_tools: {
    text: 'At most {most} tools can be always allowed in one conversation; take one back first',
    http: 409,
    rpc: -32009,
  },
  always_unsaid: {
    text: 'What would be allowed cannot be told from other calls: {problem}; allow it once',
    http: 409,
    rpc: -32009,
  },
  not_always_allowed: { text: '"{tool}" is not always allowed here', http: 404, rpc: -32004 },
  grant_gone: { text: 'This is no longer always allowed', http: 404, rpc: -32004 },
  policy_hidden: {
    text: 'The policy is about all conversations, and {name} may see only one; use a token for all of them',
    http: 403,
    rpc: -32003,
  },
  rules_left: { text: 'It is forgotten, but rules may still name it: {problem}', http: 409, rpc: -32009 },
  policy_names: { text: '{path} names it, and only administrators change rules', http: 403, rpc: -32003 },
  policy_broken: { text: '{problem}', http: 409, rpc: -32009 },
  unknown_rule: {
    text: 'This rule is no longer in the policy; somebody changed or removed it',
    http: 404,
    rpc: -32004,
  },
  rule_by_hand: {
    text: 'This rule was written by hand: switch it off, or take it out of {path} yourself',
    http: 409,
    rpc: -32009,
  },
  no_policy: { text: 'This hub has no policy; allow it in this conversation', http: 409, rpc: -32009 },
  rule_denies: {
    text: 'Rule "{rule}" of the policy denies calls of this tool; change the policy file to allow it always',
    http: 409,
    rpc: -32009,
  },
  allowed_in_one: {
    text: 'This would count in other conversations, and {name} may see only one; allow it in this one',
    http: 403,
    rpc: -32003,
  },
  /** A person or a rule said no, and the agent goes on without the call. */
  call_denied: { text: 'This call is not allowed: {reason}', http: 403, rpc: -32951 },
  /** The same, and the agent's turn ends. */
  call_aborted: { text: 'This call is not allowed, and you must stop: {reason}', http: 403, rpc: -32950 },
  call_of_gateway: {
    text: 'The gateway alone tells what becomes of the call {call}; use an id of your own',
    http: 409,
    rpc: -32009,
  },
  call_undecided: {
    text: 'Nobody has allowed this call yet. Make the very same call again to go on waiting; if it is allowed meanwhile, it is done, and you are told with your next call',
    http: 408,
    rpc: -32008,
  },
  call_in_doubt: {
    text: 'Whether {tool} ran is unknown: the hub ended meanwhile, or could not write down how it ended. It is not done again',
    http: 500,
    rpc: -32603,
  },
  tool_changed: {
    text: '{tool} is not what it was when it was allowed, so it did not run; a person is asked again',
    http: 409,
    rpc: -32009,
  },
  nothing_masked: { text: 'The masked text there was not kept, or there is none', http: 404, rpc: -32004 },
  secret_gone: {
    text: 'This call was allowed, but its arguments held a secret that the hub did not keep; make the very same call again',
    http: 409,
    rpc: -32009,
  },

  // Doors that stay shut
  not_loopback: {
    text: 'Listening on {host} needs tokens, because others can reach it; make one with parley token create NAME --role human',
    http: 500,
    rpc: -32603,
  },
  folder_closed: {
    text: '{data} is closed by PARLEY_TOKENS, which are missing here: start parley serve with them, or make a token with parley token create NAME --role human; to open it to all your programs instead, delete {path}',
    http: 500,
    rpc: -32603,
  },
  other_user: {
    text: 'Without tokens this hub lets in only programs of its own user and of root, and this one is of {who}; make tokens with parley token create NAME --role human, and they decide, also behind a proxy',
    http: 403,
    rpc: -32003,
  },
  bound_to_one: {
    text: 'This is about all conversations, and {name} may see only one; use a token for all of them',
    http: 403,
    rpc: -32003,
  },
  no_hub: {
    text: 'Start a hub for {data} with parley open, or say where it is with --host and --port: another program at its port would get the link',
    http: 404,
    rpc: -32004,
  },

  // More than the hub takes, keeps or hands out at once
  too_large: { text: 'This is larger than the limit', http: 413, rpc: -32602, close: 1009 },
  text_too_large: { text: 'A text is larger than the limit of {limit} bytes', http: 413, rpc: -32602 },
  entry_too_large: { text: 'Together this is larger than the limit of {limit} bytes', http: 413, rpc: -32602 },
  too_much_open: {
    text: 'At most {most} questions, of {size} in all, can be open for {whose}; have some of them answered or withdrawn first',
    http: 429,
    rpc: -32029,
  },
  export_running: {
    text: 'Another export of yours is still being written; wait for it',
    http: 429,
    rpc: -32029,
    retry_s: 5,
  },
  export_shown: { text: 'An export is downloaded, and not shown as {dest}', http: 403, rpc: -32003 },
  file_too_large: { text: 'A file is larger than the limit of {limit} MiB', http: 413, rpc: -32602 },
  files_full: {
    text: 'All files together take {size}, which is the most; make room with parley gc, or forget a conversation',
    http: 507,
    rpc: -32603,
  },
  disk_full: {
    text: 'The disk is full and nothing new can be kept; make room, and Parley goes on by itself',
    http: 503,
    rpc: -32603,
    retry_s: 5,
  },
  disk_failing: {
    text: 'The disk cannot be written ({reason}), and nothing new can be kept; Parley goes on by itself when it can',
    http: 503,
    rpc: -32603,
    retry_s: 5,
  },
  too_many_at_hand: {
    text: 'At most {most} conversations can be pinned or snoozed; let one of them go first',
    http: 409,
    rpc: -32009,
  },
  too_many_replies: { text: 'At most {most} replies can be saved; delete one first', http: 409, rpc: -32009 },
  too_many_partials: {
    text: 'At most {most} texts can grow in one conversation at once; finish one first',
    http: 409,
    rpc: -32009,
  },
  too_many_connections: {
    text: 'All {most} connections are in use; try again in a moment',
    http: 503,
    rpc: -32000,
    retry_s: 5,
  },
  too_many_sessions: {
    text: 'All {most} MCP sessions are in use; end one with DELETE, or try again in a moment',
    http: 503,
    rpc: -32000,
    retry_s: 5,
  },
  too_many_reads: {
    text: 'At most {most} reads of one connection can wait for their turn; wait for their answers first',
    http: 429,
    rpc: -32029,
    retry_s: 1,
  },
  too_many_lines: {
    text: 'All {most} places for agents that cannot read the data folder are taken; end one of them, or let this one read it',
    http: 503,
    rpc: -32000,
    retry_s: 5,
  },
  too_many_slips: {
    text: 'Agents that cannot read the data folder may tell of {most} answers and places at once; restart this one',
    http: 429,
    rpc: -32029,
  },
  too_many_ports: {
    text: 'Port {port} is not opened, because agents that cannot read the data folder have {most} already; use {url}',
    http: 429,
    rpc: -32029,
  },
  too_much_unanswered: {
    text: 'Agents that cannot read the data folder have calls of {most} MiB under way, which is the most; wait for answers first',
    http: 429,
    rpc: -32029,
  },
  too_many_strangers: {
    text: 'Programs that cannot read the data folder have more open here than they may; say what you want at once',
    http: 503,
    rpc: -32000,
    retry_s: 5,
  },
  too_slow: { text: 'This client reads too slowly; reconnect and resume', http: 503, rpc: -32000, close: 1013 },
  calls_limited: {
    text: 'Rule {rule} of the policy lets one agent call {tool} {most} {each}; try again in {seconds} s',
    http: 429,
    rpc: -32029,
  },
  arguments_limited: {
    text: 'The arguments of {tool} take {size}, and rule {rule} of the policy allows {limit}; send less',
    http: 413,
    rpc: -32602,
  },
  result_limited: {
    text: 'The result of {tool} takes {size}, and rule {rule} of the policy allows {limit}; it ran, and you may ask for less',
    http: 413,
    rpc: -32000,
  },
  time_limited: {
    text: '{tool} took longer than the {seconds} s that rule {rule} of the policy allows, and was cancelled; parts of it may be done',
    http: 504,
    rpc: -32008,
  },
  rate_limited: { text: 'Too many requests; try again in {seconds} s', http: 429, rpc: -32029 },

  entry_leads_elsewhere: {
    text: 'The entry leads to {url}, where the hub of {data} is not; {remedy}',
    http: 409,
    rpc: -32009,
  },
  no_hub_over_http: {
    text: 'Keep a hub running at {url}, as agents start none over HTTP: run parley service install, or parley serve in a terminal',
    http: 503,
    rpc: -32000,
  },
  entry_of_others: {
    text: 'The entry in {file} is not what parley connect writes there; look at it before an agent starts it',
    http: 409,
    rpc: -32009,
  },
  entry_points_nowhere: {
    text: 'The entry points to {path}, which is gone; {remedy}',
    http: 409,
    rpc: -32009,
  },
  other_version: {
    text: 'The hub (process {pid}) is version {theirs}, and this is {ours}; parley stop lets the next agent start this one',
    http: 409,
    rpc: -32009,
  },
  port_of_others: {
    text: 'Start the hub of {data} first, with parley serve: another program has port {port} and would get the token',
    http: 409,
    rpc: -32009,
  },
  unclear_file: { text: '{file} {problem}, and was left as it is', http: 409, rpc: -32009 },
  usage: { text: '{problem}', http: 400, rpc: -32602 },
  fault: { text: 'Something went wrong inside Parley: {problem}', http: 500, rpc: -32603 },
  internal: { text: 'Something went wrong inside Parley', http: 500, rpc: -32603 },
} as const satisfies Record<string, Refusal>

interface Refusal {
  text: string
  http: number
  rpc: number
  close?: number
  /** Seconds until a retry makes sense, where nothing better is known. */
  retry_s?: number
}

export type ErrorCode = keyof typeof ERRORS

export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly code: ErrorCode
  /** What the sentence is made of, so that another process can say the same. */
  readonly details: Record<string, string | number>
  /** Seconds until a retry makes sense. */
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
