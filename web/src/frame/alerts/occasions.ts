import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import type { Change } from '../../state/list/roster.svelte.ts'
import type { Occasion } from '../../state/page/settings.svelte.ts'
import { approvalSummary } from '../../text/approval-summary.ts'
import { gistOf } from '../../text/markdown/content.ts'

/** Something that a person who looks elsewhere may want to know. */
export interface Occurrence {
  /** A notification without it is about a question. */
  occasion?: Occasion
  conversation: string
  text: string
  /** Each question is one notification; of everything else the newest of a conversation is. */
  tag: string
}

/** Nothing for what calls nobody. */
export function occurrenceIn({ id, conversation, body }: Entry): Occurrence | undefined {
  switch (body.kind) {
    case 'question':
      return {
        conversation,
        text: body.approval ? approvalSummary(body.by, body.approval) : gistOf(body.text),
        tag: id,
      }
    case 'error':
      return of('errors', conversation, `${body.by} failed: ${gistOf(body.error, 'text/plain')}`)
    case 'turn':
      return of('turns', conversation, `${body.by} has finished its turn`)
    default:
      return undefined
  }
}

/** An agent that only stops to work has finished, as far as anyone can tell; what it ends itself it says. */
export function occurrenceOf({ conversation, before, now }: Change, saidSo: boolean): Occurrence | undefined {
  if (saidSo || before === 'gone') return undefined
  if (now === 'gone') return of('gone', conversation, 'The agent stopped listening')
  return now === 'idle' && before === 'working'
    ? of('turns', conversation, 'The agent has finished its turn')
    : undefined
}

function of(occasion: Occasion, conversation: string, text: string): Occurrence {
  return { occasion, conversation, text, tag: `news ${conversation}` }
}
