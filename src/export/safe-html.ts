import { Lexer, Marked, Parser } from 'marked'

/** Beyond this a text is data rather than prose, and parsing it would hold up the hub. */
const LONGEST = 30_000
/** The time a paragraph takes grows with the square of its marks and worse: 20,000 letters of `*a **b` took 40 s. */
const MOST_MARKS = 120
const DEEPEST = 8
const MARK = /[*_~[\]`<!]/g
const NESTED = new RegExp(`^(?: {0,3}(?:[-*+>]|\\d{1,9}[.)]) *){${DEEPEST}}|^ {${DEEPEST * 3}}`, 'm')
const WEB = /^(?:https?|mailto):/i

/**
 * Markdown as HTML that holds only what is made here: tags in the text are text, images are links, and links lead to the
 * web or nowhere. The file's own policy, which lets nothing run or load, is a second wall behind this one.
 */
export function safeHtml(markdown: string): string {
  if (markdown.length > LONGEST || NESTED.test(markdown)) return asIs(markdown)
  const lexer = new Lexer(marked.defaults)
  lexer.blockTokens(markdown.replace(/\r\n?/g, '\n'), lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue) {
    if ((src.match(MARK)?.length ?? 0) > MOST_MARKS) tokens.push({ type: 'text', raw: src, text: src, escaped: false })
    else lexer.inlineTokens(src, tokens)
  }
  return new Parser(marked.defaults).parse(lexer.tokens)
}

/** The text down to its spaces. */
export function asIs(text: string): string {
  return `<pre>${escaped(text)}</pre>`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, entity)
}

const marked = new Marked({
  gfm: true,
  breaks: true,
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
