import type { FileChange } from '../../protocol/entries/entry.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import type { Happening, ToolStep } from '../driver.ts'
import { isName } from './controls.ts'
import { type Loose, number, record, records, text } from './loose.ts'
import type { OwnServer } from './parley/own-server.ts'

const LONGEST_OUTPUT = 250_000
const STATES: Record<string, ToolStep['state']> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
}

interface Tool {
  step: ToolStep & { tool_name: string }
  /** The output so far of the agent's own terminals. */
  terminal: string
  /** The hub tells of it itself. */
  isGoverned: boolean
  denied?: boolean
  /** It has a place for its arguments; some write them as its text, piece by piece. */
  hasRawInput?: boolean
}

/** Calls of tools by their ids, whichever message they come in. */
export function createTools(
  happens: (happening: Happening) => void,
  { isGoverned, asHubHasIt }: Pick<OwnServer, 'isGoverned' | 'asHubHasIt'>,
) {
  const open = new Map<string, Tool>()
  /** Ids of earlier turns: an agent may use one again, and means another call. */
  const earlier = new Map<string, number>()
  /** Calls that were closed with a turn although they went on. */
  const unfinished = new Map<string, Tool>()
  let calls = 0
  return { take, close, letGo, running }

  /** Calls that the hub tells of itself are not told of twice. */
  function show({ tool_name, ...step }: ToolStep, { isGoverned }: Tool) {
    const named = tool_name !== undefined && { tool_name: asHubHasIt(tool_name) }
    if (!isGoverned) happens({ type: 'tool', step: { ...step, ...named } })
  }

  /** An update; what it does not mention stays. `named`: the tool of Parley that it is proven to be of. */
  function take(told: Loose, { isNew = false, named }: { isNew?: boolean; named?: string } = {}): Tool | undefined {
    const id = text(told.toolCallId)
    if (id === undefined) return undefined
    if (!isNew && !open.has(id) && earlier.has(id)) return finishLate(id, told)
    const before = open.get(id)
    const tool = before ?? {
      step: { id: stepId(id), tool_name: 'tool' },
      terminal: '',
      isGoverned: named !== undefined && isGoverned(named),
    }
    open.set(id, tool)
    const change = changeOf(named === undefined ? told : { ...told, name: named }, tool)
    Object.assign(tool.step, change)
    if (!before) show({ ...tool.step }, tool)
    else if (Object.keys(change).length > 0) show({ id: tool.step.id, ...change }, tool)
    return tool
  }

  /** The end of a call that was closed with its turn is shown as a call of its own; other news of one are not. */
  function finishLate(id: string, told: Loose): undefined {
    const tool = unfinished.get(id)
    const change = tool && changeOf(told, tool)
    if (!tool || !change || (change.state !== 'done' && change.state !== 'failed')) return undefined
    show({ ...tool.step, ...change, id: stepId(id) }, tool)
    earlier.set(id, (earlier.get(id) ?? 0) + 1)
    unfinished.delete(id)
  }

  function running(): string | undefined {
    const tool = [...open.values()].find(({ step }) => step.state === 'running' || step.state === 'pending')
    return tool && (tool.step.title ?? tool.step.tool_name)
  }

  /** No call outlives its turn, whatever the agent forgot to say. */
  function close(didEnd: boolean) {
    unfinished.clear()
    for (const [id, tool] of open) {
      const { step, denied } = tool
      earlier.set(id, (earlier.get(id) ?? 0) + 1)
      if (step.state === 'done' || step.state === 'failed') continue
      if (didEnd && !denied) unfinished.set(id, tool)
      show({ id: step.id, state: didEnd && !denied ? 'done' : 'failed' }, tool)
    }
    open.clear()
  }

  /** Calls of no turn end with the next one, which whoever tells of them knows. */
  function letGo() {
    for (const id of open.keys()) earlier.set(id, (earlier.get(id) ?? 0) + 1)
    open.clear()
  }

  function stepId(id: string): string {
    calls++
    const times = earlier.get(id) ?? 0
    const own = times > 0 ? `${id}-${times + 1}` : id
    return isName(own) ? own : `call-${calls}`
  }
}

export type Tools = ReturnType<typeof createTools>

/** The part of an update that is news. */
function changeOf(told: Loose, tool: Tool): Partial<ToolStep> {
  const { step } = tool
  const name = nameIn(told)
  const changes = changesIn(told.content)
  const locations = locationsIn(told.locations)
  const isOver = step.state === 'done' || step.state === 'failed'
  tool.hasRawInput ||= told.rawInput !== undefined
  const isWritten = !tool.hasRawInput && !isOver && isYetToRun(told) && /^\s*\{/.test(textOf(told.content))
  const now: Partial<ToolStep> = {
    // A call that is over is what it was.
    ...(!isOver && {
      // A kind is no better than the kind that is known, and no match for a name.
      tool_name: step.tool_name === 'tool' || told.name ? name : undefined,
      title: unmarked(text(told.title)),
      input: isWritten ? objectIn(textOf(told.content)) : isEmpty(told.rawInput) ? undefined : inputOf(told.rawInput),
    }),
    state: laterState(step.state, STATES[String(told.status)]),
    locations: locations.length > 0 ? locations : undefined,
    changes: changes.length > 0 ? changes : undefined,
    // What a permission says is not what the call brought.
    output: isWritten || !isUpdate(told) ? undefined : outputOf(told, tool),
  }
  const isNews = ([key, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(step[key as keyof ToolStep])
  return Object.fromEntries(Object.entries(now).filter(isNews))
}

/** A call that runs is asked about as one that waits; it goes only on, never back. */
function laterState(now: ToolStep['state'], told: ToolStep['state']): ToolStep['state'] {
  const isBack = told === 'pending' ? now !== undefined : told === 'running' && (now === 'done' || now === 'failed')
  return isBack ? undefined : told
}

/** Some mark what needs an approval, at the end of its words. */
function unmarked(words: string | undefined): string | undefined {
  return words?.replace(/REQ_APP$/, '')
}

function inputOf(raw: unknown): unknown {
  const command = unmarked(text(record(raw).command))
  return command === undefined ? raw : { ...record(raw), command }
}

/** Its own name where the agent tells it, else the kind of tool. */
function nameIn(told: Loose): string | undefined {
  const own = told.name ?? record(record(told._meta).claudeCode).toolName
  if (isName(own)) return own
  return isName(told.kind) ? told.kind : undefined
}

export function changesIn(content: unknown): FileChange[] {
  return records(content).flatMap(({ type, path, oldText, newText }) => {
    if (type !== 'diff' || typeof path !== 'string') return []
    const old = text(oldText)
    return [{ path, ...(old !== undefined && { old_text: old }), new_text: text(newText) ?? '' }]
  })
}

function locationsIn(list: unknown): NonNullable<ToolStep['locations']> {
  return records(list).flatMap(({ path, line }) => {
    if (typeof path !== 'string') return []
    return [{ path, ...(number(line) !== undefined && { line: Number(line) }) }]
  })
}

/** The text of its content, of a terminal that grows, or else whatever it brought. */
function outputOf(told: Loose, tool: Tool): string | undefined {
  const meta = record(told._meta)
  const more = text(record(meta.terminal_output_delta).data) ?? text(record(meta.terminal_output).data)
  if (more) tool.terminal = cut(tool.terminal + more)
  const content = textsIn(told.content)
  if (content.length > 0) return cut(unfenced(content.join('\n')))
  const result = rawText(told.rawOutput)
  // Streamed output may lack its beginning.
  if (result !== undefined && result.length > tool.terminal.length && (tool.terminal || !tool.step.output))
    return cut(result)
  return more ? tool.terminal : undefined
}

export function textOf(content: unknown): string {
  return textsIn(content).join('\n')
}

function textsIn(content: unknown): string[] {
  return records(content).flatMap((item) => text(contentText(record(item.content))) ?? [])
}

/** Its text is not what it brought. */
function isYetToRun({ status }: Loose): boolean {
  return status === 'pending' || status === 'in_progress'
}

function isUpdate({ sessionUpdate }: Loose): boolean {
  return sessionUpdate !== undefined
}

/** Nothing as long as it is not whole. */
function objectIn(json: string): Loose | undefined {
  const found = record(jsonIn(json))
  return isEmpty(found) ? undefined : found
}

export function contentText(block: Loose): string {
  if (block.type === 'text') return text(block.text) ?? ''
  if (block.type === 'resource_link') return `[${text(block.name) ?? block.uri}](${block.uri})`
  if (block.type === 'resource') return text(record(block.resource).text) ?? String(record(block.resource).uri ?? '')
  return block.type ? `(${block.mimeType ?? block.type})` : ''
}

function rawText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw
  if (raw === undefined || raw === null) return undefined
  const { formatted_output, output, stdout } = record(raw)
  return text(formatted_output) ?? text(output) ?? text(stdout) ?? JSON.stringify(raw)
}

/** A block of code that is all there is, without its fence. */
function unfenced(content: string): string {
  const inner = /^```\w*\n([\s\S]*?)\n?```\s*$/.exec(content)?.[1]
  return inner === undefined || inner.includes('\n```') ? content : inner
}

function cut(output: string): string {
  return output.length > LONGEST_OUTPUT ? `${output.slice(0, LONGEST_OUTPUT)}\n…` : output
}

/** Agents that stream the arguments of a call begin with none. */
function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || JSON.stringify(input) === '{}'
}
