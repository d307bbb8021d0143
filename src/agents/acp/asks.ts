import { randomUUID } from 'node:crypto'
import type { ApprovalOption } from '../../protocol/entries/entry.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'
import type { Ask, AskOutcome, Happening } from '../driver.ts'
import { beginningOf, LONGEST_TITLE } from '../turns/beginnings.ts'
import { isName } from './controls.ts'
import { formFields } from './form.ts'
import { type Loose, record, records, text } from './loose.ts'
import { changesIn, type Tools, textOf } from './tools.ts'

const LONGEST_LABEL = 1000

interface AskParts {
  happens: (happening: Happening) => void
  tools: Tools
  asHubHasIt(tool_name: string): string
  /** The tool of Parley that it is proven to be about. */
  ownTool(call: Loose, options: unknown): string | undefined
  /** Words for which the protocol has no place. */
  tell(words: string): void
  /** The turn was cancelled: nobody is asked any more. */
  isStopped(): boolean
}

/** What an agent wants of a person, as questions; each waits for its answer, or for the turn to be cancelled. */
export function createAsks({ happens, tools, asHubHasIt, ownTool, tell, isStopped }: AskParts) {
  const open = new Set<(outcome: AskOutcome) => void>()
  return { permission, elicitation, cancelAll, isWaiting: () => open.size > 0 }

  async function permission(params: Loose, signal: AbortSignal): Promise<Loose> {
    const call = record(params.toolCall)
    const named = ownTool(call, params.options)
    const tool = tools.take(call, { named }) ?? tools.take(call, { isNew: true, named })
    const { tool_name = 'tool', input: told = {} } = tool?.step ?? {}
    const taken = optionsIn(params.options)
    // These ask the person themselves, or the hub does once the call comes: it would be two cards for one call.
    const once = named !== undefined && !isStopped() ? only(taken, 'allow_once') : undefined
    if (once !== undefined) return { outcome: { outcome: 'selected', optionId: once } }
    const changes = tool?.step.changes ?? changesIn(call.content)
    // Where nothing else says what is asked, the agent's own words for it do.
    const words = tool?.step.input === undefined && changes.length === 0 ? textOf(call.content).trim() : ''
    const said = words || tool?.step.title
    const title = said && beginningOf(said, LONGEST_TITLE)
    // What cannot be shown as a whole is kept as one, and rules see it.
    const input = title !== said && tool?.step.input === undefined ? { said } : told
    const isTold = tool_name !== 'tool' && (tool?.step.input !== undefined || changes.length > 0)
    const own = isTold && isPlain(taken) ? [] : taken
    const approval = {
      tool_name: asHubHasIt(tool_name),
      input: JSON.stringify(input),
      ...(title !== undefined && title !== tool_name && { title }),
      ...(own.length > 0 && { options: own.map(({ shown }) => shown) }),
      ...(changes.length > 0 && { changes }),
    }
    const outcome = await ask({ text: title ?? tool_name, approval, step: tool?.step.id }, signal)
    const changed = outcome.outcome === 'approved' ? outcome.input : undefined
    // The person saw no secrets; the agent knows them.
    const wanted = changed === undefined ? approval.input : JSON.stringify(unmasked(JSON.parse(changed), input))
    const isChanged = wanted !== approval.input
    if (isChanged) tell(`I want other arguments for "${title ?? tool_name}"; call it again with these: ${wanted}`)
    if (outcome.outcome === 'denied' && outcome.reason) tell(`About "${title ?? tool_name}": ${outcome.reason}`)
    const id = isChanged ? only(taken, 'reject_once') : optionId(outcome, taken)
    const kind = taken.find((option) => option.id === id)?.shown.kind
    if (tool) tool.denied = kind === undefined || kind.startsWith('reject')
    return { outcome: id === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: id } }
  }

  async function elicitation(params: Loose, signal: AbortSignal): Promise<Loose> {
    // Parley offered only forms.
    if (params.mode !== undefined && params.mode !== 'form') return { action: 'decline' }
    const message = text(params.message) ?? ''
    const content: Loose = {}
    const answers = formFields(message, record(params.requestedSchema)).map(async (field) => {
      for (let problem = ''; ; ) {
        const outcome = await ask({ ...field.ask, text: problem + field.ask.text }, signal)
        if (outcome.outcome !== 'answered') return false
        const values = field.valuesOf(outcome.reply, outcome.choices ?? [])
        if (values) return Boolean(Object.assign(content, values))
        problem = `“${outcome.reply}” is not a number. `
      }
    })
    if (answers.length === 0) return confirmed(await ask({ text: message || 'Go on?', options: CONFIRM }, signal))
    return (await Promise.all(answers)).every(Boolean) ? { action: 'accept', content } : { action: 'cancel' }
  }

  function cancelAll() {
    for (const settle of open) settle({ outcome: 'withdrawn' })
  }

  function ask(asked: Omit<Ask, 'key' | 'settled'>, signal: AbortSignal): Promise<AskOutcome> {
    if (isStopped()) return Promise.resolve({ outcome: 'withdrawn' })
    return new Promise((resolve) => {
      const settled = (outcome: AskOutcome) => {
        open.delete(settled)
        resolve(outcome)
      }
      open.add(settled)
      // The agent itself has no use for the answer any more.
      signal.addEventListener('abort', () => settled({ outcome: 'withdrawn' }))
      // No agent keeps its questions: one that was begun again asks a new one, which an old answer must not answer.
      happens({ type: 'ask', ask: { ...asked, key: randomUUID(), settled } })
    })
  }
}

export type Asks = ReturnType<typeof createAsks>

const CONFIRM = [{ label: 'Yes' }, { label: 'No' }]

function confirmed(outcome: AskOutcome): Loose {
  if (outcome.outcome !== 'answered') return { action: 'cancel' }
  return outcome.reply === 'No' ? { action: 'decline' } : { action: 'accept', content: {} }
}

interface TakenOption {
  /** The agent's own name for it. */
  id: string
  shown: ApprovalOption
}

function optionsIn(list: unknown): TakenOption[] {
  return records(list).flatMap(({ optionId, name, kind }, index) => {
    if (typeof optionId !== 'string') return []
    const label = beginningOf(text(name) ?? optionId, LONGEST_LABEL)
    return [{ id: optionId, shown: { id: isName(optionId) ? optionId : `option-${index}`, label, kind: kindOf(kind) } }]
  })
}

/** A kind that is not known is at least not counted as a yes for ever. */
function kindOf(kind: unknown): ApprovalOption['kind'] {
  return kind === 'allow_always' || kind === 'reject_once' || kind === 'reject_always' ? kind : 'allow_once'
}

/**
 * Yes, no, and yes for good. What an agent allows for good it keeps to itself, where nobody can list it or take it back:
 * such a call is asked about like all others, and always allowed by the hub, which tells the agent that it is allowed once.
 */
function isPlain(taken: TakenOption[]): boolean {
  const forGood = taken.filter(({ shown }) => shown.kind.endsWith('_always'))
  const isYesOrNo = taken.length === forGood.length + 2 && only(taken, 'allow_once') && only(taken, 'reject_once')
  return Boolean(isYesOrNo) && forGood.some(({ shown }) => shown.kind === 'allow_always')
}

/** The option that the person took; a bare verdict counts where it can mean only one of them. */
function optionId(outcome: AskOutcome, taken: TakenOption[]): string | undefined {
  if (outcome.outcome === 'withdrawn' || outcome.outcome === 'answered') return undefined
  if (outcome.option !== undefined) return taken.find(({ shown }) => shown.id === outcome.option)?.id
  return only(taken, outcome.outcome === 'approved' ? 'allow_once' : 'reject_once')
}

function only(taken: TakenOption[], kind: ApprovalOption['kind']): string | undefined {
  const [first, second] = taken.filter(({ shown }) => shown.kind === kind)
  return second ? undefined : first?.id
}
