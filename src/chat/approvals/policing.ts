import { agentIn } from '../../protocol/entries/agent.ts'
import type { Approval, Body, Decided, Question, Settlement } from '../../protocol/entries/entry.ts'
import type { ConversationState, OpenQuestion } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { inputIn } from '../../protocol/tools/always-command.ts'
import { calledTool, isSameTool } from '../../protocol/tools/called-tool.ts'
import type { Caller, MountedAs, PolicyDecision, ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { knownId } from '../conversation/decision.ts'
import { grantOf } from './always.ts'
import type { Verdict } from './verdict.ts'

/** The scope of a rule that a person makes by always allowing a tool, and who the person is. */
export interface Remembering {
  scope: 'agent' | 'everyone'
  by: string
}

/** The facts about a mounted tool besides its name: what its server says of it, and where relative paths lead there. */
type KnownTool = Pick<ToolCallSubject, 'annotations' | 'bases'>

/** The rules that come before every approval. */
export interface ApprovalPolicy {
  decide(subject: ToolCallSubject): PolicyDecision
  /**
   * Writes a rule that allows the tool of this call, and answers with what it is known by; throws where it cannot, and
   * has changed nothing then.
   */
  remember(subject: ToolCallSubject, how: Remembering): Promise<string>
  mounted(server: string, tool: string): KnownTool
  /** Hears which rule or which permission decided. */
  counts: { ruled(verdict: PolicyDecision): void; granted(since: string): void }
}

/** People are asked where there are no rules. */
export const NO_POLICY: ApprovalPolicy = {
  decide: () => ({ decision: 'ask' }),
  remember: async () => {
    throw new ParleyError('no_policy')
  },
  mounted: () => ({}),
  counts: { ruled() {}, granted() {} },
}

type Asked = Pick<Question, 'by' | 'asker' | 'folder' | 'approval'>
type Upheld = Verdict & Pick<Settlement, 'by' | 'decided'>

const CUT = 'These arguments are too long to be changed here; deny the call, and say how it should be'

/** The name of the decider, where no person decided. */
const POLICY = 'policy'

/** The mounted tool that an agent means by a name, or nothing. */
export type Mounted = (tool_name: string, caller: Caller) => MountedAs | undefined

export type Policing = ReturnType<typeof createPolicing>

/** Applies the rules of the policy to a call, before anybody is asked. */
export function createPolicing({ policy, mounted, now }: { policy: ApprovalPolicy; mounted: Mounted; now(): number }) {
  return { put, subjectOf, alsoAllowed, upheld, isForbidden, decidedNow }

  /**
   * The entry that comes of a question. A call that a rule decides about, or that is always allowed to its asker here,
   * is not asked about.
   */
  function put(state: ConversationState, asked: Question): Body {
    const { isHidden, ...question } = named(asked)
    const { by, asker, folder, visit, approval, driven } = question
    const whose = { by, asker, folder, visit }
    if (!approval) return question
    if (isHidden) return { kind: 'refused_call', ...whose, approval, decided: unknownTool(approval), driven }
    const verdict = policy.decide(subjectOf(state, question))
    policy.counts.ruled(verdict)
    const decided = decidedBy(verdict)
    if (decided && decided.decision !== 'allow') return { kind: 'refused_call', ...whose, approval, decided, driven }
    if (decided && canBeAllowed(approval))
      return { kind: 'permitted_call', ...whose, approval, granted_by: POLICY, decided, driven }
    // An agent with options of its own wants one of them named.
    const grant = approval.options
      ? undefined
      : grantOf(state, { ...approval, input: inputIn(approval.input) }, agentIn(question))
    if (grant) policy.counts.granted(grant.since)
    if (grant) return { kind: 'permitted_call', ...whose, approval, granted_by: grant.by, driven }
    const { reason, deadline } = verdict.rule && !decided ? verdict : {}
    return {
      ...question,
      ...(deadline !== undefined && { expires_at: now() + deadline }),
      ...(reason !== undefined && { approval: { ...approval, reason } }),
    }
  }

  /** A mounted tool is that tool, whatever an agent calls it. */
  function named(question: Question): Question & { isHidden?: boolean } {
    const { approval, asker, by: agent, folder } = question
    const caller = { principal: asker ?? '', agent, folder }
    const found = approval && approval.server === undefined ? mounted(approval.tool_name, caller) : undefined
    if (!approval || !found) return question
    const { server, tool, fingerprint, isHidden } = found
    return { ...question, isHidden, approval: { ...approval, server, tool, ...(fingerprint && { fingerprint }) } }
  }

  /** A call as rules see it. */
  function subjectOf(
    { id, folder: place }: ConversationState,
    { by: agent, asker, folder, approval }: Asked,
  ): ToolCallSubject {
    // Others may speak there who work elsewhere; only of those that are driven nothing else is known.
    const cwd = folder === undefined ? place : folder || undefined
    const { tool_name = '', input = '', server, tool } = approval ?? {}
    const isMounted = server !== undefined && tool !== undefined
    return {
      // A mounted one is known by what it is at its server.
      ...(isMounted ? { server, tool, ...policy.mounted(server, tool) } : { ...calledTool(tool_name), isOwn: true }),
      arguments: inputIn(input) ?? {},
      principal: asker ?? '',
      agent,
      folder,
      conversation: id,
      at: now(),
      ...(cwd !== undefined && { cwd, ...(!isMounted && { bases: [cwd] }) }),
    }
  }

  /**
   * The verdict after the rules were asked again, about the arguments that it leaves; a denial wins. `clear`: the
   * arguments as they were before anything in them was masked.
   */
  function upheld(state: ConversationState, asked: Asked, verdict: Verdict, by: string, clear?: string): Upheld {
    if (verdict.outcome !== 'approved' || !asked.approval) return { by, ...verdict }
    const { input } = verdict
    if (input !== undefined && asked.approval.cut) throw new ParleyError('invalid', { problem: CUT })
    const approval = { ...asked.approval, input: leftBy(input, clear ?? asked.approval.input) }
    const now = policy.decide(subjectOf(state, { ...asked, approval }))
    const decided = objectionTo(by, now)
    if (!decided) return { by, ...verdict }
    policy.counts.ruled(now)
    return { by: POLICY, outcome: 'denied', reason: decided.reason, decided, ...(input !== undefined && { input }) }
  }

  /** Whether the rules forbid it even if a person allows it, with these arguments. */
  function isForbidden(state: ConversationState, asked: Asked, clear?: string, input?: string): boolean {
    return upheld(state, asked, { outcome: 'approved', input }, '', clear).decided !== undefined
  }

  /** How the rules settle a call that waits, where one of them decides about it by now. */
  function decidedNow(state: ConversationState, asked: OpenQuestion): Body | undefined {
    const { approval } = asked
    if (!approval) return undefined
    const verdict = policy.decide(subjectOf(state, asked))
    const decided = verdict.rule && decidedBy(verdict)
    const isAllowed = decided?.decision === 'allow'
    // A person looks at what a tool has become and chooses among options; what is masked may be anything.
    if (!decided || (isAllowed && wantsPerson(approval))) return undefined
    policy.counts.ruled(verdict)
    const settlement = settledBy(decided, asked)
    if (isAllowed) return { ...settlement, outcome: 'approved' }
    return { ...settlement, outcome: 'denied', reason: denialBy(verdict) }
  }

  /** The other calls that wait there for the same tool and are allowed by now. */
  function alsoAllowed(state: ConversationState, asked: OpenQuestion): Body[] {
    const others = state.open.filter((other) => other.id !== asked.id && isAlike(other, asked))
    return others.flatMap((other): Body[] => {
      const decided = decidedBy(policy.decide(subjectOf(state, other)))
      return decided?.decision === 'allow' ? [{ ...settledBy(decided, other), outcome: 'approved' }] : []
    })
  }
}

/** Options, tools that have changed and what is masked want a person's own look: rules see only what is shown. */
function isAlike({ approval: other }: OpenQuestion, { approval: asked }: OpenQuestion): boolean {
  if (!other || !asked || wantsPerson(other)) return false
  return isSameTool(other, asked)
}

function wantsPerson({ options, tool_changed, masked, cut }: Approval): boolean {
  return Boolean(options || tool_changed || masked || cut)
}

/** Settles it in the policy's name: no person did, and none is said to have. */
function settledBy(decided: Decided, { id }: OpenQuestion) {
  return { kind: 'settlement', question: knownId(id), by: POLICY, decided } as const
}

/** The rules' objection to a call that somebody allows. */
export function objectionTo(by: string, { decision, rule, reason }: PolicyDecision): Decided | undefined {
  if (decision === 'allow' || decision === 'ask') return undefined
  const why = reason === undefined ? '' : `: ${reason}`
  return { decision, rule, reason: `Allowed by ${by}, but rule ${rule?.id} of the policy forbids it${why}` }
}

/** One that its agent does not see is none, as it would be told if it called it. */
function unknownTool({ tool_name: tool }: Approval): Decided {
  return { decision: 'deny_continue', reason: new ParleyError('unknown_tool', { tool }).message }
}

/** The arguments as a person changed them, with what was masked in them. */
function leftBy(changed: string | undefined, original: string): string {
  return changed === undefined ? original : JSON.stringify(unmasked(jsonIn(changed), jsonIn(original)))
}

function denialBy({ rule, reason }: PolicyDecision): string {
  return reason ?? `rule ${rule?.id} of the policy forbids it`
}

function decidedBy({ decision, rule, reason }: PolicyDecision): Decided | undefined {
  return decision === 'ask' ? undefined : { decision, rule, reason }
}

/** Nobody but a person chooses among several ways to allow a call, or allows one for good. */
function canBeAllowed({ options }: Approval): boolean {
  return !options || options.filter(({ kind }) => kind === 'allow_once').length === 1
}
