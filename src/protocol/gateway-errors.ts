/** How Parley says no around mounted servers, and around what tools may be used for; part of the one table in `errors.ts`. */
export const GATEWAY_ERRORS = {
  unknown_mount: { text: 'There is no mount "{name}"; there are {known}', http: 404, rpc: -32004 },
  mount_taken: { text: 'There is a mount "{name}" already; remove it first', http: 409, rpc: -32009 },
  mount_down: { text: 'The server "{server}" cannot be used now: {problem}', http: 503, rpc: -32000 },
  mount_lost: { text: 'The server "{server}" was lost during the call: {problem}', http: 502, rpc: -32000 },
  mount_odd: { text: 'The server "{server}" gave no answer that can be used: {problem}', http: 502, rpc: -32000 },
  sign_in_impossible: { text: 'Nobody can sign in to "{name}": {problem}', http: 409, rpc: -32009 },
  sign_in_failed: { text: 'The sign-in to "{name}" failed: {problem}', http: 502, rpc: -32000 },
  sign_in_refused: { text: 'The sign-in to "{name}" was refused', http: 403, rpc: -32003 },
  sign_in_late: { text: 'Nobody signed in to "{name}" in time; begin again', http: 408, rpc: -32008 },
  sign_in_unknown: {
    text: 'This sign-in is not known here: it was used already, took too long or was begun again; begin again',
    http: 410,
    rpc: -32010,
  },
  sign_ins_damaged: { text: '{path} is no list of sign-ins; remove it, and sign in again', http: 500, rpc: -32603 },
  mounts_damaged: { text: '{path} is no list of MCP servers ({reason}); it was left as it is', http: 500, rpc: -32603 },
  views_damaged: { text: 'The views in {path} cannot be used: {problem}', http: 500, rpc: -32603 },
  mounts_gone: { text: '{path} is gone; what stood in it stays mounted', http: 500, rpc: -32603 },
  mounts_unused: { text: 'Mounts stay as they were: {problem}', http: 500, rpc: -32603 },
  not_all_shown: {
    text: 'Not all of this call is shown in words; allow it on the page of the hub, or deny it',
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
  grant_gone: { text: 'This is not always allowed any more', http: 404, rpc: -32004 },
  policy_hidden: {
    text: 'The policy is about all conversations, and {name} may see only one; use a token for all of them',
    http: 403,
    rpc: -32003,
  },
  rules_left: { text: 'It is forgotten, but rules may still name it: {problem}', http: 409, rpc: -32009 },
  policy_names: { text: '{path} names it, and only administrators change rules', http: 403, rpc: -32003 },
  policy_broken: { text: '{problem}', http: 409, rpc: -32009 },
  unknown_rule: {
    text: 'This rule is not in the policy any more; somebody changed it or took it out',
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
  call_aborted: { text: 'This call is not allowed, and you are to stop: {reason}', http: 403, rpc: -32950 },
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
    text: 'It is not known whether {tool} was carried out: the hub ended meanwhile, or could not write down how it ended. It is not done again',
    http: 500,
    rpc: -32603,
  },
  tool_changed: {
    text: '{tool} is not what it was when it was allowed, so it did not run; a person is asked again',
    http: 409,
    rpc: -32009,
  },
  nothing_masked: { text: 'Nothing is masked there, or what is was not kept', http: 404, rpc: -32004 },
  secret_gone: {
    text: 'This call was allowed, but its arguments held a secret that the hub did not keep; make the very same call again',
    http: 409,
    rpc: -32009,
  },
} as const
