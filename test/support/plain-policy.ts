import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path/posix'
import type { ToolCallSubject } from '../../src/protocol/gateway.ts'

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
    const truths = inside(call.arguments, name.split('.')).map((value) => truth(value, wanted, call, allows))
    return allows ? truths.length > 0 && truths.every((one) => one === 'yes') : truths.some((one) => one !== 'no')
  })
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
  if (typeof wanted === 'string') return typeof value === 'string' ? yes(regex(wanted).test(value)) : otherKind
  if (typeof wanted !== 'object' || wanted === null) return value === undefined ? otherKind : yes(value === wanted)
  return allOf(
    Object.entries(wanted).map(([word, to]): Truth => {
      if (word === 'exists') return yes((value === undefined) !== to)
      if (word === 'not') return opposite(truth(value, to, call, allows))
      if (word === 'glob') return truth(value, to, call, allows)
      if (word === 'path') {
        if (typeof value !== 'string') return otherKind
        return anyOf([to].flat().map((pattern) => leads(value, pattern, call.cwd)))
      }
      if (typeof value !== 'number') return otherKind
      const order = Math.sign(value - to)
      return yes(
        (word.includes('>') && order > 0) || (word.includes('<') && order < 0) || (word.includes('=') && order === 0),
      )
    }),
  )
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
function leads(path: string, pattern: string, cwd: string | undefined): Truth {
  const spellings = path.startsWith('~/') ? [path, homedir() + path.slice(1)] : [path]
  if (cwd === undefined && (pattern.startsWith('.') || spellings.some((one) => !one.startsWith('/')))) return 'unclear'
  const full = pattern.replace(/^\.(?=\/|$)/, () => cwd ?? '').replace(/^~/, () => homedir())
  const [fixed = ''] = /^(?:\/[^/*?]+(?=\/|$))*/.exec(full) ?? []
  const forms = [full, realOf(fixed || '/').replace(/^\/$/, '') + full.slice(fixed.length)].map(pathRegex)
  const readings = spellings.flatMap((one) => {
    const whole = one.startsWith('/') ? one : `${cwd}/${one}`
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

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = realOf(dirname(path))
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    return link ? realOf(resolve(folder, readlinkSync(path))) : resolve(folder, basename(path))
  }
}
