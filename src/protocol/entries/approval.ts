import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

/** What a call changes in a file; without `old_text` the file is new. */
export const FileChange = z.object({ path: z.string(), old_text: z.optional(z.string()), new_text: z.string() })

/** What an agent itself offers in the place of Allow and Deny; shown by its label. */
export const ApprovalOption = z.object({
  id: Name,
  label: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
})

/**
 * The rule of the policy or the person that let a call through or stopped it. Neither is set where a call that only
 * reads is allowed.
 */
export const Decided = z.object({
  decision: z.enum(['allow', 'deny_continue', 'deny_abort']),
  /** `id` names the rule in the policy file. */
  rule: z.optional(z.object({ id: z.string(), line: z.optional(z.number()), note: z.optional(z.string()) })),
  /** The person, or `deadline` where nobody decided in time. */
  by: z.optional(Name),
  /** The person had allowed it for good, in this conversation. */
  always: z.optional(z.literal(true)),
  reason: z.optional(z.string()),
})

/** The call of a tool that a person is asked to allow; `input` is its arguments as JSON text. */
export const Approval = z.object({
  tool_name: Name,
  input: z.string(),
  options: z.optional(
    z.array(ApprovalOption, 'must be a list of options').check(
      z.minLength(1, 'has no option'),
      z.refine((options) => new Set(options.map(({ id }) => id)).size === options.length, 'has an option twice'),
    ),
  ),
  changes: z.optional(z.array(FileChange)),
  /** What the call does in the agent's own words, and the id under which it is told. */
  title: z.optional(z.string()),
  call_id: z.optional(Name),
  /**
   * The mounted server that the tool is of, and its name there; `tool_name` is then the name that clients call it by.
   */
  server: z.optional(Name),
  tool: z.optional(z.string()),
  /** A hash of what the server of a mounted tool says of it, and whether that differs from when it was last allowed. */
  fingerprint: z.optional(z.string()),
  tool_changed: z.optional(z.literal(true)),
  /** Why it is asked about, in the words of the rule that wants it. */
  reason: z.optional(z.string()),
  /** The number of secrets in `input` that are neither shown nor stored. */
  masked: z.optional(z.number()),
  /** It is too long for an entry, which has its beginning; the hub keeps all of it beside the log. */
  cut: z.optional(z.literal(true)),
})

/**
 * A call that was never asked about: its tool is always allowed to its asker in this conversation, or a rule allows it.
 */
export const PermittedCall = z.object({
  kind: z.literal('permitted_call'),
  by: Name,
  asker: z.optional(Name),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  approval: Approval,
  /** The person, or `policy`. */
  granted_by: Name,
  decided: z.optional(Decided),
  driven: z.optional(z.literal(true)),
  /** The place beside the log where the hub keeps what is masked in it. */
  clear: z.optional(z.string()),
})

/** A call that was never asked about, because a rule denies it. */
export const RefusedCall = z.object({
  kind: z.literal('refused_call'),
  by: Name,
  asker: z.optional(Name),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  approval: Approval,
  decided: Decided,
  driven: z.optional(z.literal(true)),
  /** The place beside the log where the hub keeps what is masked in it. */
  clear: z.optional(z.string()),
})

/**
 * The commands that are always allowed: those that begin like this, or this very one, with the same other arguments.
 */
export const AlwaysCommand = z.object({
  place: z.string(),
  begins: z.optional(z.string()),
  same: z.optional(z.unknown()),
  beside: z.optional(z.record(z.string(), z.unknown())),
})

/** A tool that was always allowed is asked about again: all of it, or what the entry `since` allowed of it. */
export const Revocation = z.object({
  kind: z.literal('revocation'),
  by: Name,
  tool_name: Name,
  since: z.optional(z.string()),
  /** The commands of which that was. */
  command: z.optional(AlwaysCommand),
})

export type FileChange = z.infer<typeof FileChange>
export type ApprovalOption = z.infer<typeof ApprovalOption>
export type Decided = z.infer<typeof Decided>
export type Approval = z.infer<typeof Approval>
export type AlwaysCommand = z.infer<typeof AlwaysCommand>
export type PermittedCall = z.infer<typeof PermittedCall>
export type RefusedCall = z.infer<typeof RefusedCall>
export type Revocation = z.infer<typeof Revocation>
