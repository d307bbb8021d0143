import type { Key } from './rule-keys.ts'
import { createTrie, type Trie } from './trie.ts'

/** Rules by what a value is, or by what a text begins or ends with or has in it. */
export function createTextIndex() {
  const values = new Map<unknown, number[]>()
  const begins = createTrie<number>()
  const ends = createTrie<number>()
  const parts = createTrie<number>()
  let lookWithin = false
  return { add, visit }

  function add(key: Exclude<Key, { path: string }>, number: number) {
    if ('is' in key) {
      const same = values.get(key.is) ?? []
      values.set(key.is, same)
      same.push(number)
    } else if ('begins' in key) begins.add(unitsOf(key.begins), number)
    else if ('ends' in key) ends.add(unitsOf(key.ends).reverse(), number)
    else {
      parts.add(unitsOf(key.has), number)
      lookWithin = true
    }
  }

  function visit(value: unknown, visit: (numbers: readonly number[]) => void) {
    const same = values.get(value)
    if (same) visit(same)
    if (typeof value !== 'string') return
    const { length } = value
    begins.visit((n) => (n < length ? value.charCodeAt(n) : undefined), visit)
    ends.visit((n) => (n < length ? value.charCodeAt(length - 1 - n) : undefined), visit)
    for (let from = 0; lookWithin && from < length; from++) visitAt(parts, value, from, visit)
  }
}
export type TextIndex = ReturnType<typeof createTextIndex>

function visitAt(parts: Trie<number>, text: string, from: number, visit: (numbers: readonly number[]) => void) {
  parts.visit((n) => (from + n < text.length ? text.charCodeAt(from + n) : undefined), visit)
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, n) => text.charCodeAt(n))
}
