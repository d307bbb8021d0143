/** What is more than the hub takes, keeps or hands out at once; a part of the one table in errors.ts. */
export const LIMIT_ERRORS = {
  too_large: { text: 'This is larger than the limit', http: 413, rpc: -32602, close: 1009 },
  text_too_large: { text: 'A text is larger than the limit of {limit} bytes', http: 413, rpc: -32602 },
  entry_too_large: { text: 'All of this together is larger than the limit of {limit} bytes', http: 413, rpc: -32602 },
  too_much_open: {
    text: 'At most {most} questions, of {size} in all, can be open for {whose}; have some of them answered or withdrawn first',
    http: 429,
    rpc: -32029,
  },
  export_running: {
    text: 'Another export of yours is still being written; one at a time',
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
    text: 'The disk is full, and nothing new can be kept; make room, and Parley goes on by itself',
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
  too_many_tools: {
    text: 'At most {most} tools can be always allowed in one conversation; take one back first',
    http: 409,
    rpc: -32009,
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
    text: 'What {tool} gave takes {size}, and rule {rule} of the policy allows {limit}; it ran, and you may ask for less',
    http: 413,
    rpc: -32000,
  },
  time_limited: {
    text: '{tool} took longer than the {seconds} s that rule {rule} of the policy allows, and was cancelled; parts of it may be done',
    http: 504,
    rpc: -32008,
  },
  rate_limited: { text: 'Too many requests; try again in {seconds} s', http: 429, rpc: -32029 },
} as const
