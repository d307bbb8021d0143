import { ParleyError } from '../../../protocol/errors.ts'
import { compileGlob } from '../matching/glob.ts'
import type { Rule } from '../rule.ts'
import { isSame, listIn, mustBeGood } from './add-rule.ts'
import { cutRule, inComment, writtenAbove } from './change-rule.ts'
import { type Node, type ObjectNode, parseJsonc } from './jsonc.ts'
import { readPolicy } from './read-policy.ts'

interface Forgotten {
  text: string
  /** The rules that were for this conversation alone. */
  gone: Rule[]
}

/**
 * A policy that does not name a conversation any more: what was for it alone is gone, what was for others too is for
 * those, and no comment of Parley's says that something was allowed there. Everything else is as it was.
 */
export function withoutConversation(text: string, conversation: string, path: string): Forgotten {
  // A policy that cannot be read is left as it is, unless it is about this.
  const old = readPolicy(text)
  if (old.problems.length > 0 && !text.includes(conversation)) return { text, gone: [] }
  mustBeGood(old, path)
  const kept = old.rules.map((rule) => ({ rule, left: leftOf(rule, conversation) }))
  let changed = text
  // The loop runs from the end, so that the places of those before stay.
  for (let place = old.rules.length - 1; place >= 0; place--)
    changed = cut(changed, place, conversation, kept[place]?.left)
  const { rules, problems } = readPolicy(changed)
  const wanted = kept.flatMap(({ rule, left }) => (left === 'nothing' ? [] : [{ ...rule, conversation: left }]))
  const isMeant =
    rules.length === wanted.length && rules.every((one, n) => isSame({ conversation: undefined, ...one }, wanted[n]))
  if (problems.length > 0 || !isMeant)
    throw new ParleyError('policy_broken', {
      problem: `${path} names it where nothing can be taken out without changing more`,
    })
  return { text: changed, gone: old.rules.filter((_, n) => kept[n]?.left === 'nothing') }
}

/** The rest of its conversations; nothing where this was the only one. */
function leftOf({ conversation: globs }: Rule, conversation: string): string[] | undefined | 'nothing' {
  if (!globs?.some((glob) => isLiterally(glob, conversation))) return globs
  const left = globs.filter((glob) => !isLiterally(glob, conversation))
  return left.length === 0 ? 'nothing' : left
}

function isLiterally(glob: string, conversation: string): boolean {
  return compileGlob(glob).literal === conversation
}

function cut(text: string, place: number, conversation: string, left: string[] | undefined | 'nothing'): string {
  const list = listIn(parseJsonc(text))
  const comment = writtenAbove(text, list, place)
  const rule = list.items[place] as ObjectNode
  if (left === 'nothing') return cutRule(text, list, place, comment?.at ?? lineOf(text, rule.at))
  const names = rule.members.find(({ name }) => name === 'conversation')?.value
  const isOther = left !== undefined && names?.kind === 'list' && left.length < names.items.length
  const shorter = isOther ? replaced(text, names, `[${left.map((glob) => JSON.stringify(glob)).join(', ')}]`) : text
  const name = inComment(conversation)
  if (comment?.written.conversation !== name) return shorter
  const end = text.indexOf('\n', comment.at)
  return shorter.slice(0, comment.at) + text.slice(comment.at, end).replace(` in ${name}`, '') + shorter.slice(end)
}

function replaced(text: string, { at, end }: Node, by: string): string {
  return text.slice(0, at) + by + text.slice(end)
}

/** The start of its line, if nothing else is on it before. */
function lineOf(text: string, at: number): number {
  const begins = text.lastIndexOf('\n', at - 1) + 1
  return text.slice(begins, at).trim() === '' ? begins : at
}
