import { attempt } from '../../../io/attempt.ts'
import { ifError } from '../../../io/if-error.ts'
import { Decision } from '../../../protocol/tools/gateway.ts'
import { type ArgumentRule, EACH, HINTS, type Rule, type Span } from '../rule.ts'
import { Misplaced, type Node, type ObjectNode, parseJsonc, placesIn } from './jsonc.ts'
import { globIn, readCondition, textIn, truthIn, wordAmong } from './read-condition.ts'
import { DEADLINE, lengthIn, limitIn } from './read-limit.ts'

/** A problem in a policy, and where it is; lines and columns count from 1. */
export interface PolicyProblem {
  line: number
  column: number
  text: string
}

export interface ReadPolicy {
  /** All rules; of a policy with problems, which must not be used, those that can be read. */
  rules: Rule[]
  problems: PolicyProblem[]
}

/** The rules of a policy as text, or everything that is wrong with it. */
export function readPolicy(text: string): ReadPolicy {
  const problems: PolicyProblem[] = []
  const rules: Rule[] = []
  const ids = new Set<string>()
  const placeOf = placesIn(text)
  const misplaced = ifError(Misplaced, ({ at, message }) => problems.push({ ...placeOf(at), text: message }))
  attempt(() => {
    const items = rulesIn(parseJsonc(text))
    for (const [n, item] of items.entries()) attempt(() => rules.push(read(item, `#${n + 1}`)), misplaced)
  }, misplaced)
  return { rules, problems }

  /** Each value is read on its own, so that all that is wrong in a rule is told at once. */
  function read(node: Node, name: string): Rule {
    if (node.kind !== 'object') throw new Misplaced(node.at, 'A rule is an object')
    const rule: Partial<Rule> = {}
    let decided = false
    for (const { name, at, value } of node.members)
      attempt(() => {
        const key = wordAmong(name, KEYS, at, 'a rule')
        decided ||= key === 'decision'
        Object.assign(rule, { [key]: READERS[key](value, text) })
      }, misplaced)
    if (!decided) throw new Misplaced(node.at, `This rule has no "decision"; it is ${Decision.options.join(', ')}`)
    if (rule.deadline !== undefined && rule.decision !== 'ask')
      throw new Misplaced(node.at, 'Only a rule that asks has a "deadline"')
    if (rule.command === false && rule.decision !== 'allow')
      throw new Misplaced(node.at, 'Only a rule that allows has a "command"')
    if (rule.limit && rule.decision?.startsWith('deny'))
      throw new Misplaced(node.at, 'A rule that denies has no "limit": it lets nothing through')
    const id = rule.id ?? name
    if (ids.has(id)) throw new Misplaced(idPlace(node), `There is another rule "${id}"`)
    ids.add(id)
    return { ...rule, id, line: placeOf(node.at).line } as Rule
  }
}

/** The nodes of the rules. */
function rulesIn(root: Node): Node[] {
  if (root.kind !== 'object') throw new Misplaced(root.at, 'A policy is an object with "rules"')
  for (const { name, at } of root.members) wordAmong(name, ['rules'], at, 'a policy')
  const rules = root.members[0]?.value
  if (!rules) throw new Misplaced(root.at, 'A policy has "rules"')
  if (rules.kind !== 'list') throw new Misplaced(rules.at, '"rules" is a list')
  return rules.items
}

const KEYS = [
  'id',
  'server',
  'tool',
  'arguments',
  'command',
  'annotations',
  'principal',
  'agent',
  'folder',
  'conversation',
  'time',
  'decision',
  'deadline',
  'limit',
  'off',
  'reason',
  'note',
] as const

const READERS: Record<(typeof KEYS)[number], (node: Node, text: string) => unknown> = {
  id: idIn,
  server: globsIn,
  tool: globsIn,
  arguments: argumentsIn,
  command: noCommandIn,
  annotations: (node) =>
    membersIn(node).map(({ name, at, value }) => [wordAmong(name, HINTS, at, 'annotations'), truthIn(value)]),
  principal: globsIn,
  agent: globsIn,
  folder: (node) => listOf(node).map((item) => (textIn(item) === '' ? '' : globIn(item))),
  conversation: globsIn,
  time: (node) => listOf(node).map(spanIn),
  decision: (node) => wordAmong(textIn(node), Decision.options, node.at, 'decisions'),
  deadline: (node) => lengthIn(node, DEADLINE),
  limit: limitIn,
  off: truthIn,
  reason: wordsIn,
  note: wordsIn,
}

function idPlace(node: ObjectNode): number {
  return node.members.find(({ name }) => name === 'id')?.value.at ?? node.at
}

function idIn(node: Node): string {
  const id = wordsIn(node)
  if (id.startsWith('#')) throw new Misplaced(node.at, 'An id does not begin with "#"; rules without one are called so')
  return id
}

function wordsIn(node: Node): string {
  const words = textIn(node).trim()
  if (words === '') throw new Misplaced(node.at, 'This must not be empty')
  return words
}

function noCommandIn(node: Node): false {
  if (node.kind === 'scalar' && node.value === false) return false
  throw new Misplaced(node.at, 'This is false, for calls that run no command; which command is said in "arguments"')
}

function globsIn(node: Node): string[] {
  return listOf(node).map((item) => globIn(item))
}

/** One, or a list of which one is enough. */
function listOf(node: Node): Node[] {
  if (node.kind !== 'list') return [node]
  if (node.items.length === 0) throw new Misplaced(node.at, 'This list is empty, so that nothing fits it')
  return node.items
}

function membersIn(node: Node) {
  if (node.kind !== 'object') throw new Misplaced(node.at, 'This must be an object')
  if (node.members.length === 0) throw new Misplaced(node.at, 'This names nothing; leave it out')
  return node.members
}

function argumentsIn(node: Node, text: string): ArgumentRule[] {
  return membersIn(node).map(({ name, at, value }) => ({
    name,
    steps: stepsIn(name, at),
    wanted: readCondition(value),
    shown: text.slice(value.at, value.end),
  }))
}

/** `options.depth`, `edits.*.path`, `files.0`; a backslash makes a dot or a star a part of a name. */
function stepsIn(name: string, at: number): ArgumentRule['steps'] {
  const steps = name.match(/(?:[^.\\]|\\.)+/gs) ?? []
  if (name === '' || steps.join('.') !== name)
    throw new Misplaced(at, `"${name}" names no argument; they are as in "options.depth"`)
  return steps.map((step) => (step === '*' ? EACH : step.replace(/\\(.)/gs, '$1')))
}

const TIMES = /^\d\d:[0-5]\d-\d\d:[0-5]\d$/
const DAY = 24 * 60

function spanIn(node: Node): Span {
  const shown = textIn(node)
  const [from, to] = [minuteIn(shown.slice(0, 5)), minuteIn(shown.slice(6))]
  if (!TIMES.test(shown) || from >= DAY || to > DAY)
    throw new Misplaced(node.at, 'A time is as in "09:00-17:30", or over midnight "22:00-06:00"')
  if (from === to) throw new Misplaced(node.at, 'This time ends when it begins')
  return { from, to, shown }
}

function minuteIn(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
}
