import { isLocal } from '../../protocol/local.ts'
import type { OutOfReach, PolicyDecision, ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { valuesAt } from './arguments.ts'
import { type Call, callOf, hintOf } from './call.ts'
import { type Check, commandCheck } from './command-check.ts'
import { compileArgument } from './condition.ts'
import { compileGlob } from './matching/glob.ts'
import { CASELESS } from './matching/real-path.ts'
import { createOutOfReach } from './out-of-reach.ts'
import type { Rule } from './rule.ts'

/** What became of a call, and why the rules before the deciding one do not match. */
export interface Explained {
  verdict: PolicyDecision
  passed: { rule: Rule; why: string }[]
}

export interface Policy {
  rules: readonly Rule[]
  decide(subject: ToolCallSubject): PolicyDecision
  explain(subject: ToolCallSubject): Explained
  outOfReach: OutOfReach
}

interface CompiledRule {
  rule: Rule
  verdict: PolicyDecision
  checks: Check[]
  /** Those of them that are about who calls which server, about the tool, and about the arguments. */
  parts: { who: Check[]; tool: Check[]; arguments: Check[] }
}

/**
 * The first rule that matches decides; where none does, a call is asked about unless its tool only reads. `caseless`:
 * whether the file system does not tell `A` from `a`.
 */
export function compilePolicy(rules: readonly Rule[], caseless = CASELESS): Policy {
  let compiled: CompiledRule[] | undefined
  return { rules, decide, explain, outOfReach: (caller) => createOutOfReach(inUse(), caller) }

  /** The rules are compiled when the first call comes: a hub that starts has other things to do. */
  function inUse() {
    compiled ??= rules.filter(({ off }) => !off).map((rule) => compileRule(rule, caseless))
    return compiled
  }

  function decide(subject: ToolCallSubject): PolicyDecision {
    const call = callOf(subject, caseless)
    return inUse().find(({ checks }) => checks.every(({ fits }) => fits(call)))?.verdict ?? otherwise(subject)
  }

  function explain(subject: ToolCallSubject): Explained {
    const call = callOf(subject, caseless)
    const passed: Explained['passed'] = []
    for (const { rule, checks, verdict } of inUse()) {
      const missed = checks.find(({ fits }) => !fits(call))
      if (!missed) return { verdict, passed }
      passed.push({ rule, why: missed.why(call) })
    }
    return { verdict: otherwise(subject), passed }
  }
}

const BY_DEFAULT: Record<'allow' | 'ask', PolicyDecision> = {
  allow: Object.freeze({ decision: 'allow', reason: 'No rule matches, and the tool is marked as one that only reads' }),
  ask: Object.freeze({ decision: 'ask', reason: 'No rule matches' }),
}

function otherwise(subject: ToolCallSubject): PolicyDecision {
  return BY_DEFAULT[hintOf(subject, 'readOnlyHint') ? 'allow' : 'ask']
}

function compileRule(rule: Rule, caseless: boolean): CompiledRule {
  const { id, line, note, decision, reason, deadline, limit } = rule
  const server = textCheck('server', rule.server, ({ subject }) => [subject.server])
  const name = textCheck('tool', rule.tool, ({ subject }) => [subject.tool])
  const caller = [
    ...textCheck('principal', rule.principal, (call) => [call.subject.principal, ...namesFor(rule, call)]),
    ...textCheck('agent', rule.agent, (call) => (rule.principal ? call.names : namesFor(rule, call))),
    ...textCheck('folder', rule.folder, ({ subject }) => [subject.folder ?? '']),
  ]
  const annotations = annotationChecks(rule)
  const given = [...argumentChecks(rule, caseless), ...commandCheck(rule, caseless)]
  const checks = [
    ...server,
    ...name,
    ...caller,
    ...textCheck('conversation', rule.conversation, ({ subject: { conversation } }) => listed(conversation)),
    ...annotations,
    ...timeCheck(rule),
    ...limitCheck(rule),
    ...given,
  ]
  const parts = { who: [...server, ...caller], tool: [...name, ...annotations], arguments: given }
  return {
    rule,
    verdict: Object.freeze({ decision, rule: { id, line, note }, reason, deadline, limit }),
    checks,
    parts,
  }
}

function anyOf(globs: string[] | undefined): (text: string) => boolean {
  if (!globs) return () => true
  const all = globs.map(compileGlob)
  const [only] = all
  return all.length === 1 && only ? only.fits : (text) => all.some(({ fits }) => fits(text))
}

function textCheck(what: string, globs: string[] | undefined, textsOf: (call: Call) => readonly string[]): Check[] {
  if (!globs) return []
  const fitsAny = anyOf(globs)
  return [
    {
      fits: (call) => textsOf(call).some(fitsAny),
      why: (call) => {
        const are = textsOf(call).map(shown).join(' or ') || shown(undefined)
        return `${what} is ${are}, not ${globs.map(shown).join(' or ')}`
      },
    },
  ]
}

/** The client's own name. Anybody can choose one: a caller with a token is allowed by that, and not by a name. */
function namesFor({ decision }: Rule, { subject: { principal }, names }: Call): readonly string[] {
  return decision === 'allow' && !isLocal(principal) ? [] : names
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

function annotationChecks({ annotations = [] }: Rule): Check[] {
  return annotations.map(([hint, is]) => ({
    fits: ({ subject }) => hintOf(subject, hint) === is,
    why: () => `${hint} is ${!is}, not ${is}`,
  }))
}

function timeCheck({ time }: Rule): Check[] {
  if (!time) return []
  return [
    {
      fits: ({ minute }) =>
        time.some(({ from, to }) => (from < to ? minute >= from && minute < to : minute >= from || minute < to)),
      why: ({ minute }) => `time is ${clock(minute)}, not ${time.map(({ shown }) => shown).join(' or ')}`,
    },
  ]
}

/** A tool that cannot be limited is not allowed by a rule that limits. */
function limitCheck({ limit, decision }: Rule): Check[] {
  if (!limit || decision !== 'allow') return []
  return [
    {
      fits: ({ subject }) => subject.isOwn !== true,
      why: () => 'the agent runs this tool itself, where nobody can hold it to a limit',
    },
  ]
}

function argumentChecks(rule: Rule, caseless: boolean): Check[] {
  return (rule.arguments ?? []).map((argument) => ({
    fits: compileArgument(argument, rule.decision === 'allow', caseless),
    why: ({ subject }) => {
      const values = valuesAt(subject.arguments, argument.steps)
      const are = values.length === 0 ? 'an empty list' : values.map(shown).join(', ')
      return `argument ${argument.name} is ${are}, which does not fit ${argument.shown.replace(/\s+/g, ' ')}`
    },
  }))
}

const LONGEST_SHOWN = 200

function shown(value: unknown): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

function clock(minute: number): string {
  return [minute / 60, minute % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
}
