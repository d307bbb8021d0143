import { tokensOf } from '../../../../src/protocol/text/markdown.ts'
import { visibleWords } from '../visible.ts'
import { type Memory, NO_MEMORY } from './memory.ts'
import { nodesOf } from './nodes.ts'
import { plain } from './plain.ts'
import { wordsOf } from './words.ts'

const GIST = 400

/** The nodes are made of what the text says: none of it is ever read as HTML, so there is nothing to clean. */
export function render(text: string, memory: Memory = NO_MEMORY): DocumentFragment {
  const tokens = tokensOf(text)
  if (!tokens) return plain(text, memory)
  const fragment = nodesOf(tokens, memory)
  // A text of nothing but invisible characters would be an empty bubble, and nobody could tell why.
  return isBlank(fragment) ? plain(text, memory) : fragment
}

/** The words without the marks, for where there is one line. */
export function gist(text: string): string {
  const start = text.slice(0, GIST)
  const tokens = tokensOf(start)
  return visibleWords((tokens ? wordsOf(tokens) : start).replace(/\s+/g, ' ').trim())
}

function isBlank(fragment: DocumentFragment): boolean {
  return (
    /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(fragment.textContent) && !fragment.querySelector('img, hr, .task')
  )
}
