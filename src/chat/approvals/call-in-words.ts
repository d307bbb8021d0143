import type { Approval } from '../../protocol/entries/entry.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'
import { prettyJson } from '../../protocol/text/pretty-json.ts'
import { visible } from '../../protocol/text/visible.ts'

type Call = Pick<Approval, 'tool_name' | 'input' | 'changes' | 'masked'>

const LONGEST = 4000
/** The shown text depends on no more of the input than this. */
const LOOKED_AT = 2 * LONGEST
const NOT_ALL = 'This is not all of it: it can only be allowed on the page of the hub.'

/** A call for clients that know text alone, in the hub's own words: an agent's could tell of another call. */
export function callInWords(call: Call): string {
  const { tool_name, input } = call
  const all = drawn(input)
  const shown = all.length > LONGEST ? `${all.slice(0, LONGEST)}\n…` : all
  const block = `${fence(shown)}json\n${shown}\n${fence(shown)}`
  const more = isShownInWords(call) ? '' : `\n\n${NOT_ALL}`
  return `Allow the use of ${visible(tool_name)}?\n\n${block}${more}`
}

/** The same of a call that is about to be asked about, whose secrets are still there. */
export function maskedInWords(tool_name: string, args: string): string {
  const { text: input, count: masked } = maskedText(args)
  return callInWords({ tool_name, input, masked })
}

/** Whether they are shown all of it, and so may allow it. No mask can be lifted there. */
export function isShownInWords({ input, changes, masked }: Call): boolean {
  if (masked || changes?.length || input.length > LONGEST) return false
  return drawn(input).length <= LONGEST
}

/** Its beginning where it is long: what is nested without end would take eighty times its length. [S164] */
function drawn(input: string): string {
  return visible((prettyJson(input, LOOKED_AT) ?? input).slice(0, LOOKED_AT))
}

/** The fence is longer than any run of backticks inside, so that nothing in the arguments ends the block. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}
