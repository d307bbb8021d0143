import { humanName } from '../protocol/entries/agent-name.ts'
import { type Attachment, plainName } from '../protocol/entries/attachment.ts'
import type { Body, Decided, Entry, Plan, Question, Revocation, Settlement } from '../protocol/entries/entry.ts'
import { commandInWords } from '../protocol/tools/command-in-words.ts'
import { unreachable } from '../protocol/unreachable.ts'

/** What an entry is to a reader, whatever the format. */
export type Told = Said & { files: Attachment[] }

type Said =
  | { as: 'words'; side: 'agent' | 'person'; by: string; text: string; mime?: string; options?: string[] }
  /** Something that an agent did or wants to do; `text` is what a machine wrote. */
  | { as: 'deed'; by: string; label: string; text: string }
  | { as: 'note'; text: string; bad?: boolean }

/** Tells the entries of one export, in their order. */
export function createTelling() {
  let begun = false
  return function next(entry: Entry): Told | undefined {
    // The title that a conversation begins with is above it already; a change of it is news.
    const said = entry.body.kind === 'title' && !begun ? undefined : tell(entry)
    begun ||= said !== undefined
    return said && { ...said, files: filesIn(entry.body) }
  }
}

/** Nothing for what is only there to make things work. */
function tell({ body }: Entry): Said | undefined {
  switch (body.kind) {
    case 'message': {
      if (body.revised === 'taken_back') return { as: 'note', text: `${body.by} took a message back` }
      const side = body.author === 'user' ? 'person' : 'agent'
      return {
        as: 'words',
        side,
        by: side === 'agent' ? humanName(body.by) : body.by,
        text: body.text,
        mime: body.mime,
      }
    }
    case 'question':
      return asked(body)
    case 'settlement':
      return settled(body)
    case 'permitted_call': {
      const { by, approval, granted_by, decided } = body
      const why = decided ? ruleIn(decided) : `the standing permission of ${granted_by}`
      const label = `uses ${approval.tool_name}, by ${why}`
      return { as: 'deed', by: humanName(by), label, text: approval.input }
    }
    case 'refused_call': {
      const { by, approval, decided } = body
      const reason = decided.reason ? `: ${decided.reason}` : ''
      const label = `may not use ${approval.tool_name}, by ${ruleIn(decided)}${reason}`
      return { as: 'deed', by: humanName(by), label, text: approval.input }
    }
    case 'revocation':
      return { as: 'note', text: `${body.by} took back: ${permissionOf(body)} asks again` }
    case 'tool_call':
      return { as: 'deed', by: humanName(body.by), label: `called ${body.tool_name}`, text: body.tool_args }
    case 'tool_result':
      return {
        as: 'deed',
        by: humanName(body.by),
        label: `got an ${body.success ? 'answer' : 'error'} from ${body.tool_name}`,
        text: body.result,
      }
    case 'thinking':
      return { as: 'deed', by: humanName(body.by), label: 'thought', text: body.reasoning }
    case 'progress':
      return { as: 'note', text: `${humanName(body.by)}: ${body.text}` }
    case 'error':
      return { as: 'note', text: `${humanName(body.by)}: ${body.error}`, bad: true }
    case 'title':
      return body.overruled ? undefined : { as: 'note', text: `The title is now “${body.title}”` }
    case 'unknown':
      return { as: 'note', text: `A newer version of Parley can export this (${body.name})` }
    case 'earlier':
      return { as: 'deed', by: humanName(body.by), label: `earlier, ${EARLIER[body.what]}`, text: body.text }
    case 'plan':
      return { as: 'deed', by: humanName(body.by), label: 'plans', text: body.steps.map(planned).join('\n') }
    case 'revision': {
      if (!body.late) return undefined
      const did = body.text === undefined && !body.superseded ? 'took back' : 'changed'
      return { as: 'note', text: `${body.by} ${did} an earlier message, which the agent had` }
    }
    case 'receipt':
    case 'turn':
    case 'wish':
      return undefined
    default:
      return unreachable(body)
  }
}

const EARLIER = { user: 'the person', assistant: 'the agent', thinking: 'a thought', tool: 'a tool' } as const

function ruleIn({ rule }: Decided): string {
  return rule ? `rule ${rule.id} of the policy` : 'the policy'
}

function planned({ text, state }: Plan['steps'][number]): string {
  return `[${state === 'completed' ? 'x' : ' '}] ${text}`
}

const SCOPES = { agent: ', for this agent', everyone: ', for everyone' }
const ALLOWED = { once: 'Allowed by', granted: 'Always allowed by', used: 'Allowed by the standing permission of' }

function asked({ by: asker, text, approval, options, quick_replies }: Question): Said {
  const by = humanName(asker)
  if (approval) return { as: 'deed', by, label: `asks to use ${approval.tool_name}`, text: approval.input }
  const offered = options?.map(({ label, description }) => (description ? `${label}: ${description}` : label))
  return { as: 'words', side: 'agent', by, text, options: offered ?? quick_replies }
}

function settled({ outcome, by, reply, input, reason, always, scope, gone, decided }: Settlement): Said {
  switch (outcome) {
    case 'answered':
      return { as: 'words', side: 'person', by, text: reply ?? '' }
    case 'approved': {
      if (decided) return { as: 'note', text: `Allowed by ${ruleIn(decided)}` }
      const whom = scope ? SCOPES[scope] : ''
      if (input !== undefined) {
        const label = `${always ? `always allowed it${whom}, this time` : 'allowed it'} with changed arguments`
        return { as: 'deed', by, label, text: input }
      }
      return { as: 'note', text: `${ALLOWED[always ?? 'once']} ${by}${whom}` }
    }
    case 'denied':
      return { as: 'note', text: `Denied by ${by}${reason ? `: ${reason}` : ''}`, bad: true }
    case 'expired':
      return { as: 'note', text: 'The question expired' }
    case 'withdrawn':
      return { as: 'note', text: gone ? 'The agent that asked is gone' : `The question was withdrawn by ${by}` }
    default:
      return unreachable(outcome)
  }
}

/**
 * Files are saved under these names, which must not pass for others: nothing in them is hidden or changes direction.
 */
function filesIn(body: Body): Attachment[] {
  const files = 'attachments' in body ? (body.attachments ?? []) : []
  return files.map((file) => ({ ...file, name: plainName(file.name) }))
}

function permissionOf({ tool_name, command }: Revocation): string {
  return command ? `${tool_name} (${commandInWords(command)})` : tool_name
}
