import { Marked, Parser } from 'marked'
import { tokensOf } from '../protocol/text/markdown.ts'

const WEB = /^(?:https?|mailto):/i

/**
 * Markdown as HTML that holds only what is made here: tags in the text are text, images are links, and links lead to the
 * web or nowhere. The file's own policy, which lets nothing run or load, is a second wall behind this one.
 */
export function safeHtml(markdown: string): string {
  const tokens = tokensOf(markdown)
  return tokens ? new Parser(marked.defaults).parse(tokens) : asIs(markdown)
}

/** The text down to its spaces. */
export function asIs(text: string): string {
  return `<pre>${escaped(text)}</pre>`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, entity)
}

const marked = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
    // Left to itself, marked trusts the text between tags that it takes for raw.
    text(token) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapedOnce(token.text)
    },
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>\n`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    heading({ tokens, depth }) {
      return `<p class="heading h${depth}">${this.parser.parseInline(tokens)}</p>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return WEB.test(href) ? `<a href="${escaped(href)}" rel="noopener noreferrer">${text}</a>` : text
    },
    image({ href, text }) {
      const label = `Image${text ? `: ${escapedOnce(text)}` : ''}`
      return WEB.test(href) ? `<a href="${escaped(href)}" rel="noopener noreferrer">${label}</a>` : label
    },
  },
})

/** Markdown may write characters as entities; those stay what they are. */
function escapedOnce(text: string): string {
  return text.replace(/[<>"']|&(?!#\d{1,7};|#x[\da-f]{1,6};|\w{1,31};)/gi, entity)
}

function entity(letter: string): string {
  return `&#${letter.charCodeAt(0)};`
}
