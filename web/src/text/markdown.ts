import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { dress } from './dress.ts'

/** Beyond this a text is data rather than prose, and parsing it could freeze the page; it is shown as it is. */
export const LONGEST = 100_000
const GIST = 400

/** Raw HTML an agent may mean; any other tag is shown as the text it is, because `<Button>` is usually talk about code. */
const KNOWN_TAG = /^\/?(?:b|br|code|del|details|em|hr|i|ins|kbd|mark|p|pre|s|strong|sub|summary|sup|u)\s*\/?$/i

/** All that marked writes, and nothing else, whatever gets past it. */
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

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => (onlyKnownTags(text) ? text : asText(text)),
    // One level for all, below the page's own headings, keeps the outline whole whatever an agent writes.
    heading({ tokens, depth }) {
      return `<h3 class="h${depth}">${this.parser.parseInline(tokens)}</h3>`
    },
  },
})

/** A fragment, not a string: what was checked is exactly what is shown, with no second parse between. */
export function render(text: string): DocumentFragment {
  if (text.length > LONGEST) return plain(text)
  const fragment = clean(text)
  dress(fragment)
  return fragment
}

/** The text as it is, down to its spaces. */
export function plain(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const block = document.createElement('div')
  block.className = 'plain'
  block.textContent = text
  fragment.append(block)
  return fragment
}

/** The words without the marks, for where there is one line. */
export function gist(text: string): string {
  return clean(text.slice(0, GIST)).textContent.replace(/\s+/g, ' ').trim()
}

function clean(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false })
  return DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false })
}

function onlyKnownTags(html: string): boolean {
  return [...html.matchAll(/<([^>]*)>?/g)].every(([, tag = '']) => KNOWN_TAG.test(tag))
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
