import { Marked } from 'marked'

/** Raw HTML an agent may mean; any other tag is shown as the text it is, because `<Button>` is usually talk about code. */
const KNOWN_TAG = /^\/?(?:b|br|code|del|details|em|hr|i|ins|kbd|mark|p|pre|s|strong|sub|summary|sup|u)\s*\/?$/i

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

/** Markdown as HTML that is not to be trusted. */
export function toHtml(text: string): string {
  return marked.parse(text, { async: false })
}

function onlyKnownTags(html: string): boolean {
  return [...html.matchAll(/<([^>]*)>?/g)].every(([, tag = '']) => KNOWN_TAG.test(tag))
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
