import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path/posix'
import type { ToolCallSubject } from '../../../src/protocol/tools/gateway.ts'

type Json = unknown
export type PlainRule = Record<string, Json> & { decision: string }
/** Three values: what can be seen both ways is neither. */
type Truth = 'yes' | 'no' | 'unclear'

/**
 * What a policy decides, as simply as it can be said: every rule in order, patterns as regular expressions, doubt as a
 * third truth. Says the place of the rule, or -1 for the default.
 */
export function plainlyDecided(rules: PlainRule[], call: ToolCallSubject): { rule: number; decision: string } {
  const rule = rules.findIndex((rule) => matches(rule, call))
  if (rule !== -1) return { rule, decision: rules[rule]?.decision ?? '' }
  return { rule, decision: call.annotations?.readOnlyHint ? 'allow' : 'ask' }
}

function matches(rule: PlainRule, call: ToolCallSubject): boolean {
  for (const name of ['server', 'tool', 'principal', 'conversation'] as const) {
    const globs = rule[name] === undefined ? ['*'] : [rule[name]].flat()
    const text = rule[name] === undefined ? '' : call[name]
    if (text === undefined || !globs.some((glob) => regex(glob as string).test(text))) return false
  }
  const hints = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
    ...call.annotations,
  }
  if (hints.readOnlyHint) Object.assign(hints, { destructiveHint: false, idempotentHint: true })
  for (const [hint, is] of Object.entries(rule.annotations ?? {}))
    if (hints[hint as 'openWorldHint'] !== is) return false
  if (rule.time !== undefined && ![rule.time].flat().some((span) => during(span as string, call.at))) return false
  const allows = rule.decision === 'allow'
  return Object.entries(rule.arguments ?? {}).every(([name, wanted]) => {
    const exact = inside(call.arguments, name.split('.'))
    const values = allows ? exact : anywhere(call.arguments, name.split('.'), exact)
    const truths = values.map((value) => truth(value, wanted, call, allows))
    return allows ? truths.length > 0 && truths.every((one) => one === 'yes') : truths.some((one) => one !== 'no')
  })
}

/** The place at any depth, in each of its steps, with all that is in what stands there. */
function anywhere(root: Json, names: string[], exact: Json[]): Json[] {
  let there: Json[] = [root]
  for (const [n, name] of names.entries()) {
    if (name !== '*')
      there = there
        .flatMap(allIn)
        .flatMap((holder) => inside(holder, [name]))
        .filter(isThere)
    else if ((names[n + 1] ?? '*') === '*') there = there.flatMap(n === 0 ? allBelow : eachIn)
  }
  const within = there.flatMap((value) => [...allIn(value), ...allIn(value).flatMap(namesIn)])
  return [...exact, ...within]
}

const isThere = (value: Json) => value !== undefined
const eachIn = (value: Json) => (typeof value === 'object' && value !== null ? Object.values(value) : [value])
const allBelow = (value: Json) => eachIn(value).flatMap(allIn)

function allIn(value: Json): Json[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(allIn)] : [value]
}

/** What an object calls something counts as a text and as a path, and as nothing else. */
interface Named {
  named: string
}

function namesIn(value: Json): Named[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.keys(value).map((named) => ({ named })) : []
}

function textOf(value: Json): string | undefined {
  const { named = value } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Named>
  return typeof named === 'string' ? named : undefined
}

/** Texts that mean something else as well, as far as random calls have them. */
export const MEANING: Record<string, { number?: number; truth?: boolean; nothing?: true }> = {
  '2': { number: 2 },
  '1': { number: 1, truth: true },
  ' 0 ': { number: 0, truth: false },
  '3.0': { number: 3 },
  '0x2': { number: 2 },
  $3: { number: 3 },
  '1e0': { number: 1 },
  '2 apples': { number: 2 },
  '0,000': { number: 0 },
  true: { truth: true },
  ' YES': { truth: true },
  off: { truth: false },
  null: { nothing: true },
}

function meansTo(value: Json, wanted: Json): boolean {
  if (typeof value === 'string') {
    const { number, truth, nothing } = MEANING[value] ?? {}
    return wanted === null ? nothing === true : wanted === number || wanted === truth
  }
  if (typeof value === 'boolean') return wanted === Number(value)
  return value === 1 ? wanted === true : value === 0 && wanted === false
}

function during(span: string, at: number): boolean {
  const [from = '', to = ''] = span.split('-')
  const now = new Date(at).toTimeString().slice(0, 5)
  return from < to ? from <= now && now < to : !(to <= now && now < from)
}

function inside(value: Json, [name, ...names]: string[]): Json[] {
  if (name === undefined) return [value]
  const isObject = typeof value === 'object' && value !== null
  if (name === '*')
    return isObject ? Object.values(value).flatMap((one) => inside(one, names)) : inside(undefined, names)
  const entry = isObject ? Object.entries(value).find(([key]) => key === name) : undefined
  return inside(entry?.[1], names)
}

function truth(value: Json, wanted: Json, call: ToolCallSubject, allows: boolean): Truth {
  const otherKind: Truth = allows ? 'unclear' : 'no'
  if (Array.isArray(wanted)) return anyOf(wanted.map((one) => truth(value, one, call, allows)))
  if (typeof wanted === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean')
      return regex(wanted).test(`${value}`) ? 'unclear' : otherKind
    const text = textOf(value)
    if (text === undefined) return otherKind
    return regex(wanted).test(text) ? 'yes' : regex(wanted).test(text.trim()) ? 'unclear' : 'no'
  }
  if (typeof wanted !== 'object' || wanted === null) {
    if (value === wanted) return 'yes'
    if (value === undefined || (typeof value === 'object' && value !== null)) return otherKind
    return meansTo(value, wanted) ? 'unclear' : 'no'
  }
  return allOf(
    Object.entries(wanted).map(([word, to]): Truth => {
      if (word === 'exists') return yes((value === undefined) !== to)
      if (word === 'not') return opposite(truth(value, to, call, allows))
      if (word === 'glob') return truth(value, to, call, allows)
      if (word === 'path') {
        const text = textOf(value)
        if (text === undefined) return otherKind
        return anyOf([to].flat().map((pattern) => leads(text, pattern, call)))
      }
      if (typeof value === 'number') return yes(isInOrder(word, value, to))
      const number = typeof value === 'boolean' ? Number(value) : MEANING[value as string]?.number
      return number !== undefined && isInOrder(word, number, to) ? 'unclear' : otherKind
    }),
  )
}

function isInOrder(sign: string, value: number, to: number): boolean {
  const order = Math.sign(value - to)
  return (sign.includes('>') && order > 0) || (sign.includes('<') && order < 0) || (sign.includes('=') && order === 0)
}

const yes = (is: boolean): Truth => (is ? 'yes' : 'no')
const opposite = (one: Truth): Truth => (one === 'unclear' ? one : yes(one === 'no'))
const anyOf = (all: Truth[]): Truth => (all.includes('yes') ? 'yes' : all.includes('unclear') ? 'unclear' : 'no')
const allOf = (all: Truth[]): Truth => opposite(anyOf(all.map(opposite)))

function regex(glob: string): RegExp {
  const source = glob.replace(/\\(.)|(\*)|(\?)|([.+^${}()|[\]/])/gsu, (_, plain, star, one, other) =>
    star ? '.*' : one ? '.' : `\\u{${(plain ?? other).codePointAt(0).toString(16)}}`,
  )
  return new RegExp(`^${source}$`, 'su')
}

/** `yes` where every reading leads there with all links followed, `no` where none does in any way. */
function leads(path: string, pattern: string, { cwd, bases }: Pick<ToolCallSubject, 'cwd' | 'bases'>): Truth {
  const home = path.trim().replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, () => homedir())
  const spellings = [...new Set([path, path.trim() || path, home || path])]
  if (cwd === undefined && pattern.startsWith('.')) return 'unclear'
  if (bases === undefined && spellings.some((one) => !one.startsWith('/'))) return 'unclear'
  const full = pattern.replace(/^\.(?=\/|$)/, () => cwd ?? '').replace(/^~/, () => homedir())
  const [fixed = ''] = /^(?:\/[^/*?]+(?=\/|$))*/.exec(full) ?? []
  const forms = [full, realOf(fixed || '/').replace(/^\/$/, '') + full.slice(fixed.length)].map(pathRegex)
  const wholes = spellings.flatMap((one) =>
    one.startsWith('/') ? [one] : (bases ?? []).map((base) => `${base}/${one}`),
  )
  const readings = wholes.flatMap((whole) => {
    const written = resolve(whole)
    return [written, realOf(written), stepByStep(whole)].map((reading) => reading.replace(/^\/$/, ''))
  })
  const real = readings.filter((_, n) => n % 3 !== 0)
  if (real.every((reading) => forms[1]?.test(reading))) return 'yes'
  return readings.some((reading) => forms.some((form) => form.test(reading))) ? 'unclear' : 'no'
}

function pathRegex(pattern: string): RegExp {
  const source = pattern.replace(/\/\*\*|\*|\?|[.+^${}()|[\]\\]/g, (sign) => {
    if (sign === '/**') return '(?:/[^/]+)*'
    return sign === '*' ? '[^/]*' : sign === '?' ? '[^/]' : `\\${sign}`
  })
  return new RegExp(`^${source.replace(/^\/$/, '')}$`, 'su')
}

function stepByStep(path: string): string {
  return path.split('/').reduce((real, step) => (step === '..' ? dirname(real) : realOf(resolve(real, step))), '/')
}

/** Random worlds stay as they are. */
const known = new Map<string, string>()

function realOf(path: string): string {
  const real = known.get(path) ?? reallyOf(path)
  known.set(path, real)
  return real
}

function reallyOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = realOf(dirname(path))
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    return link ? realOf(resolve(folder, readlinkSync(path))) : resolve(folder, basename(path))
  }
}
