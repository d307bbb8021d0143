import DOMPurify from 'dompurify'
import { dress } from './dress.ts'
import { type Memory, NO_MEMORY } from './memory.ts'
import { toHtml } from './parse.ts'
import { plain } from './plain.ts'
import { isTame } from './tame.ts'

const GIST = 400

/** All that the parser writes, and nothing else, whatever gets past it. */
const ALLOWED_TAGS = [
  ...[
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'del',
    'details',
    'em',
    'h3',
    'hr',
    'i',
    'img',
    'input',
    'ins',
    'kbd',
    'li',
  ],
  ...['mark', 'ol', 'p', 'pre', 's', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr'],
  ...['u', 'ul'],
]
const ALLOWED_ATTR = ['align', 'alt', 'checked', 'class', 'href', 'src', 'start', 'title', 'type']

/** A fragment, not a string: what was checked is exactly what is shown, with no second parse between. */
export function render(text: string, memory: Memory = NO_MEMORY): DocumentFragment {
  if (!isTame(text)) return plain(text, memory)
  const fragment = clean(text)
  // A text of nothing but invisible characters would be an empty bubble, and nobody could tell why.
  if (isBlank(fragment)) return plain(text, memory)
  dress(fragment, memory)
  return fragment
}

/** The words without the marks, for where there is one line. */
export function gist(text: string): string {
  return clean(text.slice(0, GIST)).textContent.replace(/\s+/g, ' ').trim()
}

function clean(text: string): DocumentFragment {
  return DOMPurify.sanitize(toHtml(text), {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
  })
}

function isBlank(fragment: DocumentFragment): boolean {
  return (
    /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(fragment.textContent) && !fragment.querySelector('img, hr, input')
  )
}
