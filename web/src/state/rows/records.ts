import type {
  Approval,
  PermittedCall,
  Question,
  RefusedCall,
  Revocation,
  Settlement,
} from '../../../../src/protocol/entries/entry.ts'
import type { Grant } from '../../../../src/protocol/entries/fold.ts'
import { commandInWords } from '../../../../src/protocol/tools/command-in-words.ts'
import { ownName } from '../../text/tool-name.ts'
import { visible } from '../../text/visible.ts'
import type { ApprovalRecord, Base, Logged, Note, Standing, Tool } from './row.ts'

/**
 * A person's verdict on a call that wants to be allowed; `input` only where they changed the arguments, and `always`
 * when its tool is to be allowed from now on, in this conversation or for whom `scope` says. Where the agent offers
 * options, it is one of them.
 */
export type Scope = Settlement['scope']
export type Verdict =
  | { type: 'allow'; input?: string; always?: true; scope?: Scope }
  | { type: 'deny'; reason?: string }
  | { type: 'take_option'; option: string }

/** The hub's name for everyone on this machine while it has no tokens. */
const ANYONE = 'person'

/**
 * Is told the entries in order, because a verdict has to find its question. `mine`: the keys of this page's commands;
 * `always`: what needs no verdict now.
 */
export function createRecords(mine: ReadonlySet<string>, always: Grant[] = []) {
  const records = new Map<string, ApprovalRecord>()
  return { asked, settled, permitted, refused, revoked, deciding, whoElse }

  function asked(base: Logged, { by, text, approval, clear }: Question): ApprovalRecord | undefined {
    if (!approval) return undefined
    // Why it was asked about is told where it is decided; here a reason is that of the verdict.
    const { tool_name: _, reason: __, ...rest } = approval
    const tool = ownName(approval)
    const record: ApprovalRecord = {
      kind: 'approval',
      ...base,
      by,
      text,
      ...rest,
      tool,
      state: 'waiting',
      ...maskedIn(base, clear),
    }
    records.set(base.id, record)
    return record
  }

  function settled(base: Base, settlement: Settlement): Note | undefined {
    const grant = always.find(({ since }) => since === base.id)
    const asked = records.get(settlement.question)
    return put(settlement.question, base, { ...standingOf(settlement, mine.has(base.key), asked), grant })
  }

  /** The call ran before anybody could be asked, so it stands among what else the agent did. */
  function permitted(base: Logged, { approval, granted_by, decided, clear }: PermittedCall): Tool {
    const who = decided?.rule ? undefined : nameOf(granted_by)
    return { ...undone(base, approval), ...maskedIn(base, clear), state: 'permitted', who, decided }
  }

  function refused(base: Logged, { approval, decided, clear }: RefusedCall): Tool {
    return { ...undone(base, approval), ...maskedIn(base, clear), state: 'denied', decided }
  }

  function revoked(base: Base, { by, tool_name, command }: Revocation): Note {
    const who = nameOf(by)
    const what = command ? `${visible(tool_name)} “${visible(commandInWords(command))}”` : visible(tool_name)
    return {
      kind: 'note',
      ...base,
      text: `${who ? `${who} took` : 'Taken'} back: ${what} asks again`,
    }
  }

  function deciding(base: Base, question: string, verdict: Verdict): Note | undefined {
    // Someone else was first, and the hub is about to say so.
    if ((records.get(question)?.state ?? 'waiting') !== 'waiting') return undefined
    const standing: Omit<Standing, 'state'> = { sending: base.id === undefined, who: 'you' }
    if (verdict.type === 'take_option') {
      const { kind, label } = optionOf(records.get(question), verdict.option) ?? {}
      return put(question, base, {
        ...standing,
        state: kind?.startsWith('reject') ? 'denied' : 'allowed',
        option: label,
      })
    }
    if (verdict.type === 'deny') return put(question, base, { ...standing, state: 'denied', reason: verdict.reason })
    const { input, always, scope } = verdict
    return put(question, base, {
      ...standing,
      always,
      scope,
      state: input === undefined ? 'allowed' : 'changed',
      changed: input,
    })
  }

  /** A row of its own only when there is no record of the question, or its page is not loaded. */
  function put(question: string, base: Base, standing: Standing): Note | undefined {
    const record = records.get(question)
    if (record) Object.assign(record, standing)
    return record ? undefined : { kind: 'note', ...base, text: endOf(standing) }
  }

  function whoElse(by: string, key: string): string | undefined {
    return mine.has(key) ? undefined : nameOf(by)
  }
}

/** The facts about a call that nobody was asked about. */
function undone(base: Logged, approval: Approval) {
  const { input: args, title, server, masked, cut } = approval
  return {
    kind: 'tool' as const,
    ...base,
    name: ownName(approval),
    title,
    args,
    server,
    masked,
    cut,
    result: undefined,
  }
}

/** The place where masked texts can be asked for. */
export function maskedIn({ id }: Logged, clear: string | undefined): { revealable?: string } {
  return clear === undefined ? {} : { revealable: id }
}

/** The text for a person who was about to answer here. */
export function endedElsewhere(settlement: Settlement, asked?: Approval): string {
  const standing = standingOf(settlement, false, asked)
  const { state, who, reason } = standing
  if (state === 'expired' || state === 'withdrawn' || state === 'permitted' || who) return endOf(standing)
  return reason ? `${stateOf(standing)} on another device: ${reason}` : `${stateOf(standing)} on another device`
}

type Asked = Pick<Approval, 'options'>

function optionOf(asked: Asked | undefined, option: string | undefined) {
  return asked?.options?.find(({ id }) => id === option)
}

function standingOf(
  { outcome, by, input, reason, always, scope, rule: made, option, gone, decided }: Settlement,
  mine: boolean,
  asked?: Asked,
): Standing {
  const allowed = always === 'used' ? 'permitted' : input === undefined ? 'allowed' : 'changed'
  const state = outcome !== 'approved' ? outcome : decided ? 'ruled' : allowed
  const rule = state === 'ruled' && decided?.rule && `rule ${visible(decided.rule.id)} of the policy`
  const who = decided ? rule || 'the policy' : mine ? 'you' : nameOf(by)
  const label = optionOf(asked, option)?.label
  return {
    state,
    sending: false,
    who,
    changed: input,
    reason,
    always: always === 'granted',
    scope,
    rule: made,
    option: label,
    gone,
  }
}

const GONE = 'The agent that asked is gone'
const STATES = {
  waiting: 'Waiting for you',
  allowed: 'Allowed once',
  changed: 'Allowed with changes',
  permitted: 'Allowed by a standing permission',
  ruled: 'Allowed',
  denied: 'Denied',
  expired: 'Expired without an answer',
  withdrawn: 'Withdrawn',
  answered: 'Answered',
}

/** The state in a few words, and by whom where that is known. */
export function stateOf({ state, who, always, scope, option, gone }: Standing): string {
  if (gone) return GONE
  if (option !== undefined) {
    const verdict = state === 'denied' ? 'Denied' : 'Allowed'
    return `${who ? `${verdict} by ${who}` : verdict}: “${option}”`
  }
  if (state === 'permitted') return who ? `Allowed by ${who}’s standing permission` : STATES.permitted
  const decided = state !== 'waiting' && state !== 'expired' && state !== 'withdrawn'
  const forWhom = scope ? ` for ${SCOPES[scope]}` : ''
  const words = always
    ? `Always allowed${forWhom}${state === 'changed' ? ', this time with changes' : ''}`
    : STATES[state]
  return decided && who ? `${words} by ${who}` : words
}

const SCOPES = { agent: 'this agent', everyone: 'everyone' }

/** The same as a sentence that stands alone. */
function endOf(standing: Standing): string {
  if (standing.state === 'expired') return 'The question expired without an answer'
  if (standing.state === 'withdrawn') return standing.gone ? GONE : 'The question was withdrawn'
  return standing.reason ? `${stateOf(standing)}: ${standing.reason}` : stateOf(standing)
}

/** Undefined when it could have been anyone, here or on another device. */
export function nameOf(by: string): string | undefined {
  return by === ANYONE ? undefined : by
}
