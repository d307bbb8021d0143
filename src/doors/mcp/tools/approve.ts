import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { maskedInWords } from '../../../chat/approvals/call-in-words.ts'
import type { Putting } from '../../../chat/delivery/agent-session.ts'
import { inWords } from '../../../protocol/entries/attachment.ts'
import { Options } from '../../../protocol/entries/entry.ts'
import { stopInWords } from '../../../protocol/entries/stops.ts'
import { ERRORS, ParleyError } from '../../../protocol/errors.ts'
import { isRefusal } from '../../../protocol/refusal.ts'
import { unmasked } from '../../../protocol/secrets/masking.ts'
import { Name, Text } from '../../../protocol/text/text.ts'
import { type Caller, type Tool, tool } from '../surface.ts'
import type { AgentSurfaceParts } from '../surfaces/bridge-surface.ts'
import { type Handed, handOut } from './enclosures.ts'
import { withHeartbeat } from './heartbeat.ts'

const Approve = z.object({
  tool_name: Name.check(z.describe('The tool that is going to be used.')),
  input: z.record(z.string(), z.unknown(), 'must be an object').check(z.describe('The arguments of the call.')),
  tool_use_id: z.optional(
    z
      .string('must be text')
      .check(z.maxLength(150, 'is longer than 150 characters'), z.describe('The id of the call, if it has one.')),
  ),
})
type Approve = z.output<typeof Approve>

/** Claude's own questions come as a call of a tool too. */
const ASK_USER_QUESTION = 'AskUserQuestion'
const AskUserQuestion = z.object({
  questions: z
    .array(z.object({ question: Text, options: z.optional(Options), multiSelect: z.optional(z.boolean()) }))
    .check(z.minLength(1)),
})
type AskUserQuestion = z.output<typeof AskUserQuestion>

const DESCRIPTION = `Asks the person to allow the call of a tool, and waits for the verdict. It has the shape of Claude Code's permission prompt tool: start Claude Code with --permission-prompt-tool mcp__parley__approve and every call that needs permission is shown to the person with its arguments.

Do not call it yourself to ask for an opinion; ask_user and send_message are for that.

Returns one text with JSON: {"behavior": "allow", "updatedInput": {…}} with the arguments, which the person may have changed, or {"behavior": "deny", "message": "…"} with the reason. The verdict counts for this one call, unless the person always allows this tool, or a rule allows or denies the call: then the answer comes at once. Where it has "interrupt": true, end your turn. The call of AskUserQuestion becomes questions with options, and the answers come back in updatedInput.answers.`

type Settlement = Handed['settlements'][number]

/** A person's verdict on a call, in the shape that Claude Code expects of its permission prompt tool. */
export function approve(parts: AgentSurfaceParts): Tool {
  const { sessionOf, files } = parts
  return tool({
    name: 'approve',
    title: 'Ask to allow a call',
    description: DESCRIPTION,
    needs: 'ask',
    input: Approve,
    bare: true,
    async call(request, caller) {
      const { data: questions } = request.tool_name === ASK_USER_QUESTION ? readQuestions(request.input) : {}
      const call = JSON.stringify(request.input)
      const asking = (questions ? questionsOf(questions) : [approvalOf(request, call)]).map((question, n) => {
        return { by: caller.client, visit: caller.visit, key: keyOf(request, call, caller, n), ...question }
      })
      const session = await sessionOf(caller)
      const wait = { signal: caller.signal, alone: true, isCutOff: caller.isCutOff }
      try {
        const delivery = await withHeartbeat(caller, parts, () => session.ask(asking, wait))
        const { settlements, interrupted } = await handOut(delivery, caller, files)
        if (interrupted !== undefined) return { behavior: 'deny', message: stopInWords(interrupted) }
        return questions ? answersOf(request.input, questions, settlements) : verdictOf(request.input, settlements[0])
      } catch (error) {
        // Its caller knows verdicts only, and no call may go ahead without one.
        if (!isRefusal(error, 'come_back')) throw error
        return { behavior: 'deny', message: ERRORS.shutting_down.text }
      }
    },
  })
}

function readQuestions(input: unknown) {
  return AskUserQuestion.safeParse(input)
}

function questionsOf({ questions }: AskUserQuestion): Omit<Putting, 'by'>[] {
  return questions.map(({ question, options, multiSelect }) => ({ text: question, options, multi_select: multiSelect }))
}

/**
 * A call that the same agent repeats with the same id is the same call: one card, one verdict. With other arguments it
 * is another.
 */
function keyOf({ tool_use_id, tool_name }: Approve, call: string, { principal, visit, callKey }: Caller, n: number) {
  if (tool_use_id) return `approve:${tool_use_id}:${digest(principal.id, visit ?? '', tool_name, call)}:${n}`
  return callKey && `approve:${digest(principal.id, tool_name, call, callKey)}:${n}`
}

function digest(...asked: string[]): string {
  return hash('sha256', JSON.stringify(asked), 'base64url').slice(0, 22)
}

/** The text is for clients that know no approvals. */
function approvalOf({ tool_name }: Approve, call: string): Omit<Putting, 'by'> {
  return { text: maskedInWords(tool_name, call), approval: { tool_name, input: call } }
}

/** The allowed call is the one that was shown, with the secrets that were not shown, unless the person changed it. */
function verdictOf(call: Approve['input'], settlement: Settlement | undefined) {
  if (settlement?.outcome !== 'approved') return deny(settlement)
  const { input } = settlement
  return { behavior: 'allow', updatedInput: input === undefined ? call : unmasked(JSON.parse(input), call) }
}

function answersOf(input: Approve['input'], { questions }: AskUserQuestion, settlements: Settlement[]) {
  const missing = settlements.find(({ reply }) => reply === undefined)
  if (missing) return deny(missing)
  const answers = Object.fromEntries(questions.map(({ question }, n) => [question, wordsOf(settlements[n])]))
  return { behavior: 'allow', updatedInput: { ...input, answers } }
}

/** There is room for words only, so that files are told by their paths. */
function wordsOf({ reply = '', attachments }: Partial<Settlement> = {}): string {
  return inWords(
    reply,
    attachments?.map(({ name, path }) => ({ name: path ?? name })),
  )
}

function deny(settlement: Settlement | undefined) {
  if (settlement?.decided?.decision === 'deny_abort') {
    const { message } = new ParleyError('call_aborted', { reason: settlement.reason ?? '' })
    return { behavior: 'deny', message, interrupt: true }
  }
  if (settlement?.outcome === 'denied')
    return { behavior: 'deny', message: settlement.reason ?? 'The person denied this call' }
  return { behavior: 'deny', message: `Nobody decided: the question was ${settlement?.outcome ?? 'withdrawn'}` }
}
