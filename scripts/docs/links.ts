import { anchorOf } from './markdown.ts'

const FENCED = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[^\n]*$/gm
const INLINE_CODE = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g
const MARKDOWN_LINK = /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g
const HTML_LINK = /\b(?:href|src|srcset)="([^"\s]+)"/g
const ELSEWHERE = /^[a-z][a-z+.-]*:|^\/\//i

/** The addresses that a page links to in the same repository. */
export function linksIn(markdown: string): string[] {
  const text = markdown.replace(FENCED, '').replace(INLINE_CODE, '')
  const all = [...text.matchAll(MARKDOWN_LINK), ...text.matchAll(HTML_LINK)]
  return all.map(([, address = '']) => address).filter((address) => !ELSEWHERE.test(address))
}

/** The places in a page that a link can name. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const text = markdown.replace(FENCED, '')
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) anchors.add(unused(anchorOf(plain(heading))))
  for (const [, id = ''] of text.matchAll(/\bid="([^"]+)"/g)) anchors.add(id)
  return anchors

  function unused(anchor: string): string {
    let free = anchor
    for (let n = 1; anchors.has(free); n++) free = `${anchor}-${n}`
    return free
  }
}

/** A heading without its links and emphasis. */
function plain(heading: string): string {
  return heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '')
}
