import { readFileSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../../io/attempt.ts'
import { watchFile } from '../../../io/disk/watched-file.ts'
import { createEmitter } from '../../../io/emitter.ts'
import { replaceFile } from '../../../io/replaced-file.ts'
import { ifSystemError, ignoring } from '../../../io/system-error.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { ifRefused, unwritable } from '../../../protocol/refusal.ts'
import type { OutOfReach, PolicyDecision, ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import type { PolicyNews, PolicySeen, ShownPolicy } from '../../../protocol/tools/policy.ts'
import { compilePolicy, type Explained, type Policy } from '../policy.ts'
import type { Rule } from '../rule.ts'
import { type NewRule, withRule } from './add-rule.ts'
import { type RuleChange, withChange } from './change-rule.ts'
import { withoutConversation } from './forget-conversation.ts'
import { type PolicyProblem, type ReadPolicy, readPolicy } from './read-policy.ts'
import { shownRules } from './summary.ts'

const FILE = 'policy.jsonc'

interface PolicyFileParts {
  path: string
  /** Hears how it is at first, and whenever the rules or the problem are others than before. */
  told?(news: PolicyNews): void
}

export interface PolicyFile extends PolicySeen {
  decide(subject: ToolCallSubject): PolicyDecision
  explain(subject: ToolCallSubject): Explained
  outOfReach: OutOfReach
  rules(): Policy['rules']
  problem(): string | undefined
  /** Writes a rule into the file, and is done when it counts. */
  add(rule: NewRule): Promise<void>
  /** Switches the rule that is known by this, or takes it out, and is done when that counts. */
  change(identity: string, change: RuleChange): Promise<void>
  /**
   * Names this conversation no more, and says which rules went with it. Throws where it does and may not be changed.
   */
  forget(conversation: string, mayChange: boolean): Promise<Rule[]>
  close(): void
}

export function policyPath(data: string): string {
  return join(data, FILE)
}

/** The text of a policy; nothing where there is no file. */
export function policyText(path: string): string | undefined {
  return attempt(
    () => readFileSync(path, 'utf8'),
    ifSystemError((error) => {
      if (error.code === 'ENOENT') return undefined
      throw new ParleyError('policy_broken', { problem: `${path} cannot be read (${error.message})` }, error)
    }),
  )
}

/** The problems as compilers tell them, so that editors find the place. */
export function told(path: string, problems: readonly PolicyProblem[]): string {
  return problems.map(({ line, column, text }) => `${path}:${line}:${column}: ${text}`).join('\n')
}

const LATER_MS = 100

/**
 * The rules of a file as they are now: it is read again whenever it changes, and what is wrong with it changes nothing.
 * The first look is when somebody asks, at the latest after a moment, in which a hub that starts has other things to
 * do.
 */
export function openPolicyFile({ path, told: first = () => {} }: PolicyFileParts): PolicyFile {
  let good: Policy | undefined
  /** The text that the rules were read from. */
  let last: string | undefined
  let broken: string | undefined
  let unseen: string | undefined
  let lastNews: string | undefined
  let seen: { rules: Policy['rules']; shown: ShownPolicy['rules'] } | undefined
  const changes = createEmitter<[news: PolicyNews]>()
  changes.on(first)
  let watched: ReturnType<typeof watchFile> | undefined
  let wanted = false
  let looking: Promise<void> | undefined
  let writing = Promise.resolve()
  let closed = false
  const later = setTimeout(begin, LATER_MS).unref()
  return {
    decide: (subject) => begun()?.decide(subject) ?? undecided(),
    explain: (subject) => begun()?.explain(subject) ?? { verdict: undecided(), passed: [] },
    outOfReach: (caller) => begun()?.outOfReach(caller) ?? (() => false),
    rules,
    problem,
    news,
    show: () => ({ path, rules: shown(), problem: problem() }),
    follow: changes.on,
    add: (rule) => write((text) => withRule(text, rule, path)),
    change: (identity, change) => write((text) => withChange(text, identity, change, path)),
    forget,
    close,
  }

  async function forget(conversation: string, mayChange: boolean): Promise<Rule[]> {
    if (policyText(path) === undefined) return []
    let gone: Rule[] = []
    await write((text) => {
      const changed = withoutConversation(text, conversation, path)
      if (!mayChange && changed.text !== text) throw new ParleyError('policy_names', { path })
      gone = changed.gone
      return changed.text
    })
    return gone
  }

  function begin() {
    if (watched || closed) return
    clearTimeout(later)
    // Watching begins before the first look, or a change between the two would be missed.
    watched = watchFile({ path, changed: () => void look(), failed })
    readFileOnce()
    announce()
    // It may be a link.
    void look()
  }

  function begun(): Policy | undefined {
    begin()
    return good
  }

  /** What changes while it looks is looked at once more, however often it does. */
  function look(): Promise<void> {
    wanted = true
    looking ??= lookWhileWanted().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookWhileWanted() {
    while (wanted && !closed) {
      wanted = false
      await watched?.follow()
      if (closed) return
      readFileOnce()
      announce()
    }
  }

  function readFileOnce() {
    attempt(
      () => take(policyText(path)),
      ifRefused(({ message }) => {
        broken = message
      }),
    )
  }

  function take(text: string | undefined) {
    if (text === undefined) return takeNone()
    const { rules, problems } = text === last ? UNCHANGED : readPolicy(text)
    broken = problems.length > 0 ? told(path, problems) : undefined
    if (broken || text === last) return
    good = compilePolicy(rules)
    last = text
  }

  /** Without a file there are no rules; one that has gone is rather an accident, or about to be replaced. */
  function takeNone() {
    const hadRules = last !== undefined || (broken !== undefined && !good)
    broken = hadRules ? `${path} is gone` : undefined
    if (!hadRules) good = compilePolicy([])
  }

  function announce() {
    const now = JSON.stringify([problem(), last])
    if (closed || now === lastNews) return
    lastNews = now
    changes.emit(news())
  }

  function news(): PolicyNews {
    return { rules: rules().filter(({ off }) => !off).length, problem: problem() }
  }

  function rules(): Policy['rules'] {
    return begun()?.rules ?? []
  }

  /** Pages look again and again. */
  function shown(): ShownPolicy['rules'] {
    const now = rules()
    if (seen?.rules !== now) seen = { rules: now, shown: shownRules(now, last ?? EMPTY) }
    return seen.shown
  }

  function problem(): string | undefined {
    begin()
    return broken ?? unseen
  }

  /** Nobody knows what the rules would forbid. */
  function undecided(): PolicyDecision {
    return { decision: 'ask', reason: `The policy cannot be used: ${broken}` }
  }

  function failed({ message }: Error) {
    unseen = `Changes of ${path} are not noticed (${message})`
    // Before the first look nothing needs to be announced: that look will tell.
    if (lastNews !== undefined) announce()
  }

  function write(changed: (text: string) => string): Promise<void> {
    const written = writing.then(async () => {
      begin()
      while (!(await tryToWrite(changed)));
      await look()
    })
    writing = written.catch(() => {})
    return written
  }

  async function tryToWrite(changed: (text: string) => string): Promise<boolean> {
    const text = policyText(path)
    // The rules that count would be gone too.
    if (text === undefined && last !== undefined) throw new ParleyError('policy_broken', { problem: `${path} is gone` })
    const wanted = changed(text ?? EMPTY)
    const isAsBefore = () => policyText(path) === text
    return wanted === text || replace(path, wanted, isAsBefore).catch(ifSystemError(unwritable(path)))
  }

  function close() {
    closed = true
    clearTimeout(later)
    watched?.close()
  }
}

const UNCHANGED: ReadPolicy = { rules: [], problems: [] }

export const EMPTY = `// What agents may do: the first rule that matches decides. See parley policy --help
{
  "rules": [
  ]
}
`

/** Replaces the file for whom it was before, unless somebody saved it meanwhile: then it is to be tried again. */
async function replace(path: string, text: string, isAsBefore: () => boolean): Promise<boolean> {
  const before = await stat(path).catch(ignoring('ENOENT'))
  const real = before ? await realpath(path) : path
  return replaceFile(real, text, { mode: before?.mode, isWanted: isAsBefore })
}
