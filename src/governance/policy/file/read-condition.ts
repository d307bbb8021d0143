import { nearest } from '../../../protocol/text/nearest.ts'
import { wordsOfStart } from '../../../protocol/tools/command-start.ts'
import { problemInGlob } from '../matching/glob.ts'
import { problemInPathGlob } from '../matching/path-glob.ts'
import { type Condition, SIGNS } from '../rule.ts'
import { Misplaced, type Node, type ObjectNode } from './jsonc.ts'

/**
 * The condition for an argument: a value, a pattern, a list of which one is enough, or words that all have to be true.
 */
export function readCondition(node: Node): Condition {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'string' ? { is: 'text', glob: globIn(node) } : { is: 'value', value: node.value }
    case 'list':
      if (node.items.length === 0) throw new Misplaced(node.at, 'This list is empty, so that nothing fits it')
      return { is: 'any', of: node.items.map(readCondition) }
    case 'object':
      return readWords(node)
  }
}

export function textIn(node: Node): string {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') throw new Misplaced(node.at, 'This must be text')
  return node.value
}

export function globIn(node: Node, problemIn = problemInGlob): string {
  const glob = textIn(node)
  const problem = problemIn(glob)
  if (problem) throw new Misplaced(node.at, `This pattern ${problem}`)
  return glob
}

export function truthIn(node: Node): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'boolean')
    throw new Misplaced(node.at, 'This must be true or false')
  return node.value
}

/** Throws unless this is one of the words that are known there. */
export function wordAmong<Word extends string>(word: string, known: readonly Word[], at: number, where: string): Word {
  const found = known.find((one) => one === word)
  if (found !== undefined) return found
  const hint = nearest(word, [...known])
  throw new Misplaced(
    at,
    `Unknown "${word}" in ${where}; ${hint ? `did you mean "${hint}"?` : `known: ${known.join(', ')}`}`,
  )
}

const WORDS = ['glob', 'path', 'command', ...SIGNS, 'exists', 'not'] as const

function readWords(node: ObjectNode): Condition {
  if (node.members.length === 0) throw new Misplaced(node.at, `Nothing is wanted here; say it with ${WORDS.join(', ')}`)
  const of = node.members.map(({ name, at, value }): Condition => {
    const word = wordAmong(name, WORDS, at, 'a condition')
    switch (word) {
      case 'glob':
        return { is: 'text', glob: globIn(value) }
      case 'path':
        return anyOf(value, (item) => ({ is: 'path', glob: globIn(item, problemInPathGlob) }))
      case 'command':
        return anyOf(value, (item) => ({ is: 'command', words: startIn(item) }))
      case 'exists':
        return { is: 'there', there: truthIn(value) }
      case 'not':
        return { is: 'not', one: readCondition(value) }
      default:
        return { is: 'compared', sign: word, to: numberIn(value) }
    }
  })
  mustBePossible(node, of)
  return of.length === 1 ? (of[0] as Condition) : { is: 'all', of }
}

function anyOf(node: Node, one: (item: Node) => Condition): Condition {
  if (node.kind !== 'list') return one(node)
  if (node.items.length === 0) throw new Misplaced(node.at, 'This list is empty, so that nothing fits it')
  return { is: 'any', of: node.items.map(one) }
}

function startIn(node: Node): string[] {
  const words = wordsOfStart(textIn(node))
  if (!words) throw new Misplaced(node.at, 'A command is the words that it begins with, as in "npm test"')
  return words
}

function numberIn(node: Node): number {
  if (node.kind !== 'scalar' || typeof node.value !== 'number') throw new Misplaced(node.at, 'This must be a number')
  if (!Number.isFinite(node.value)) throw new Misplaced(node.at, 'This number is too large')
  return node.value
}

function mustBePossible(node: ObjectNode, all: Condition[]) {
  if (all.length > 1 && all.some((one) => one.is === 'there' && !one.there))
    throw new Misplaced(node.at, 'What is not there can fit nothing else')
  const compared = all.filter((one) => one.is === 'compared')
  if (compared.length > 0 && all.some(({ is }) => is === 'text' || is === 'path' || is === 'command'))
    throw new Misplaced(node.at, 'Nothing is a number and a text')
  const above = compared.filter(({ sign }) => sign.startsWith('>'))
  const below = compared.filter(({ sign }) => sign.startsWith('<'))
  const empty = above.some((low) =>
    below.some((high) => low.to > high.to || (low.to === high.to && (low.sign === '>' || high.sign === '<'))),
  )
  if (empty) throw new Misplaced(node.at, 'No number fits this')
}
