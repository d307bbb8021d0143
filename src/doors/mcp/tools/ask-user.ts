import * as z from 'zod/mini'
import type { Putting } from '../../../chat/delivery/agent-session.ts'
import { EntryId, Options } from '../../../protocol/entries/entry.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { Text } from '../../../protocol/text/text.ts'
import { type Tool, tool } from '../surface.ts'
import type { AgentSurfaceParts } from '../surfaces/bridge-surface.ts'
import { type Handed, HandedFiles, handOut, spoken } from './enclosures.ts'
import { withHeartbeat } from './heartbeat.ts'
import { Images, keepImages } from './images.ts'
import { Meanwhile, meanwhile, unfinished, WHILE_WAITING } from './meanwhile.ts'
import { patienceMs, remainingMs } from './patience.ts'

const MOST_QUESTIONS = 10
const LONGEST_SECONDS = 7 * 24 * 60 * 60
const secondsText = `must be from 1 to ${LONGEST_SECONDS}`

const one = {
  question: Text.check(z.describe('What you want to know, in Markdown, complete in itself.')),
  options: z.optional(
    Options.check(z.describe('Answers to choose from. The person can always type something else instead.')),
  ),
  multi_select: z.optional(
    z.boolean('must be true or false').check(z.describe('Several options may be chosen, not just one.')),
  ),
  images: Images,
}

const AskUser = z.object({
  ...one,
  question: z.optional(one.question),
  questions: z.optional(
    z
      .array(z.object(one), 'must be a list of questions')
      .check(
        z.minLength(1, 'has no question'),
        z.maxLength(MOST_QUESTIONS, `has more than ${MOST_QUESTIONS} questions`),
        z.describe('Several questions at once, instead of question.'),
      ),
  ),
  question_id: z.optional(
    EntryId.check(z.describe('Waits again for a question that stayed open, instead of asking anew.')),
  ),
  timeout_seconds: z.optional(
    z
      .int(secondsText)
      .check(
        z.minimum(1, secondsText),
        z.maximum(LONGEST_SECONDS, secondsText),
        z.describe('Stop waiting after this long. Without it the call waits for as long as it takes.'),
      ),
  ),
  on_timeout: z.optional(
    z
      .enum(['keep_open', 'withdraw'], 'must be keep_open or withdraw')
      .check(z.describe('Then keep the question open for a later answer (as it is), or withdraw it.')),
  ),
})
type AskUser = z.output<typeof AskUser>

const Answered = z.object({ answer: z.string(), choices: z.optional(z.array(z.string())), attachments: HandedFiles })
const Answers = z.object({
  answer: z.optional(z.string()),
  choices: z.optional(z.array(z.string())),
  attachments: HandedFiles,
  answers: z.optional(z.array(z.object({ question: z.string(), ...Answered.shape, answer: z.optional(z.string()) }))),
  ...Meanwhile,
})

const DESCRIPTION = `Asks the person you work for one or several questions and waits for the answers.

Use it instead of send_message when the answer is one of a few: give options, with a description where it helps. Set multi_select when several may be chosen. Put questions that belong together into one call (questions).

Returns {"answer", "choices"?, "attachments"?}: choices are the chosen labels; answer is those, what the person typed instead, or both. With questions: {"answers": [{"question", "answer", "choices"?}]} in their order.

With timeout_seconds the call ends with an error after that time, which says whether the question stays open (wait again with question_id; a late answer comes with your next call) or was withdrawn (on_timeout: "withdraw"). ${WHILE_WAITING}`

/** Questions with text, one or several options as the answer. */
export function askUser(parts: AgentSurfaceParts): Tool {
  const { sessionOf, files, page, maxWaitSeconds } = parts
  return tool({
    name: 'ask_user',
    title: 'Ask the person questions',
    description: DESCRIPTION,
    needs: 'ask',
    input: AskUser,
    tidy: (input) => ({ ...input, ...labelled(input), ...labelledEach(input) }),
    output: Answers,
    async call(input, caller) {
      const { question_id, timeout_seconds, on_timeout = 'keep_open' } = input
      const expires = on_timeout === 'withdraw' && timeout_seconds !== undefined
      const kept = await Promise.all(asked(input).map(keep))
      const questions = kept.map((question, n): Putting => {
        const key = caller.callKey && `${caller.callKey}:${n}`
        const expires_at = expires ? Date.now() + remainingMs(timeout_seconds, caller) : undefined
        return { by: caller.client, visit: caller.visit, key, ...question, expires_at }
      })
      const timeoutMs = timeout_seconds === undefined || expires ? undefined : remainingMs(timeout_seconds, caller)
      const limits = [timeoutMs, patienceMs(caller, maxWaitSeconds)].filter((limit) => limit !== undefined)
      const waitMs = limits.length > 0 ? Math.min(...limits) : undefined
      // The result is an error then, and brings nothing along.
      const strict = timeoutMs !== undefined && waitMs === timeoutMs
      const wait = { signal: caller.signal, waitMs }
      const session = await sessionOf(caller, questions)
      const delivery = await withHeartbeat(caller, parts, () =>
        question_id === undefined ? session.ask(questions, wait) : session.resume([question_id], wait),
      )
      const handed = await handOut(delivery, caller, files)
      return (strict ? undefined : unfinished(handed, 'ask_user', page)) ?? answersOf(handed, input)
    },
  })

  async function keep({ images, ...question }: Asked): Promise<Omit<Putting, 'by'>> {
    return { ...question, ...(await keepImages(images, files)) }
  }
}

/** Options are often given as bare texts. */
function labelled(question: { options?: unknown }): object {
  const { options } = question
  if (!Array.isArray(options)) return {}
  return { options: options.map((option) => (typeof option === 'string' ? { label: option } : option)) }
}

function labelledEach({ questions }: { questions?: unknown }): object {
  if (!Array.isArray(questions)) return {}
  return {
    questions: questions.map((question) => (isObject(question) ? { ...question, ...labelled(question) } : question)),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

type Asked = Omit<Putting, 'by' | 'attachments'> & { images?: Images }

function asked({ question, options, multi_select, images, questions, question_id }: AskUser): Asked[] {
  const given = [question, questions, question_id].filter((part) => part !== undefined)
  if (given.length !== 1)
    throw new ParleyError('invalid', { problem: 'Give exactly one of "question", "questions" and "question_id"' })
  const all = question === undefined ? questions : [{ question, options, multi_select, images }]
  return (all ?? []).map(({ question: text, ...rest }) => ({ text, ...rest }))
}

function answersOf(outcome: Handed, { questions, timeout_seconds = 0 }: AskUser) {
  const { settlements, open, interrupted } = outcome
  if (interrupted !== undefined) return meanwhile(outcome)
  if (open.length > 0)
    throw new ParleyError('no_answer_yet', { seconds: timeout_seconds, question: open.join('", then "') })
  if (settlements.every(({ reply }) => reply === undefined)) throw unanswered(settlements, timeout_seconds)
  const answers = settlements.map(({ reply, choices, attachments }) => ({
    answer: reply === undefined ? undefined : spoken(reply, attachments),
    choices,
    ...(attachments && { attachments }),
  }))
  if (!questions) return { ...answers[0], ...meanwhile(outcome) }
  const all = questions.map(({ question }, n) => ({ question, ...answers[n] }))
  return { answers: all, ...meanwhile(outcome) }
}

function unanswered([settlement]: Handed['settlements'], seconds: number): ParleyError {
  const { outcome = 'withdrawn' } = settlement ?? {}
  return outcome === 'expired'
    ? new ParleyError('withdrawn_unanswered', { seconds })
    : new ParleyError('no_reply', { outcome })
}
