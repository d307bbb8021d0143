const PIECE = /<span class="([^"]*)">|<\/span>|[^<]+/g
/** Code can be written that nests without end, and browsers draw level within level. */
const DEEPEST = 50
const ESCAPED: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' }

/** The highlighter's output as nodes: it knows spans with a class and five escapes, and nothing else is read. */
export function spansOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const open: (Element | DocumentFragment)[] = [fragment]
  for (const [piece, kind] of html.matchAll(PIECE)) {
    const place = open.at(-1) ?? fragment
    if (piece === '</span>') open.pop()
    else if (kind === undefined) place.append(piece.replace(/&[^;]*;/g, (escaped) => ESCAPED[escaped] ?? escaped))
    else open.push(open.length > DEEPEST ? place : place.appendChild(spanOf(kind)))
  }
  return fragment
}

/** Line by line: what is open where one ends is opened again in the next. */
export function linesOf(html: string): string[] {
  const open: string[] = []
  return html.split('\n').map((line) => {
    const before = open.join('')
    for (const [tag] of line.matchAll(/<span class="[^"]*">|<\/span>/g)) {
      if (tag === '</span>') open.pop()
      else open.push(tag)
    }
    return `${before}${line}${'</span>'.repeat(open.length)}`
  })
}

function spanOf(kind: string): HTMLElement {
  const span = document.createElement('span')
  span.className = kind
  return span
}
