import type { MarkedToken, Token, Tokens } from 'marked'
import { unreachable } from '../../../../src/protocol/unreachable.ts'
import { codeFrame } from '../code/frame.ts'
import { decoded } from './entities.ts'
import { direct, isInside, make, nest, type ParentNode, scrollingFrame, taskMark } from './make.ts'
import { type Memory, within } from './memory.ts'
import { openTags } from './open-tags.ts'
import { imageOf, linkTo } from './outside.ts'
import { rawPieces } from './raw-tags.ts'
import { wordsOf } from './words.ts'

/** Blocks that no paragraph holds. */
const BLOCKS = ['blockquote', 'code', 'heading', 'hr', 'list', 'paragraph', 'table']

/** The elements that the tokens of a text stand for. There are none but those named here and the raw tags. */
export function nodesOf(tokens: Token[], memory: Memory): DocumentFragment {
  const fragment = document.createDocumentFragment()
  let frames = 0
  fill(fragment, tokens, 0)
  direct(fragment.children)
  return fragment

  function fill(parent: ParentNode, inner: Token[], depth: number) {
    const open = openTags(parent, depth, frameBlock)
    for (const token of inner as MarkedToken[]) {
      if (BLOCKS.includes(token.type)) open.end('p')
      if (token.type === 'html') addRaw(token.text, open)
      else add(open.innermost(), token, open.innerDepth())
    }
    open.endAll()
  }

  function addRaw(html: string, open: ReturnType<typeof openTags>) {
    const pieces = rawPieces(html)
    if (!pieces) open.innermost().append(html)
    for (const piece of pieces ?? []) {
      if (piece.kind === 'words') open.innermost().append(decoded(piece.text))
      else open[piece.kind](piece.tag)
    }
  }

  function add(place: ParentNode, token: Exclude<MarkedToken, Tokens.HTML | Tokens.Tag>, depth: number) {
    switch (token.type) {
      case 'text':
        if (token.tokens) fill(place, token.tokens, depth)
        else place.append(decoded(token.raw))
        return
      case 'escape':
        return place.append(token.text)
      case 'em':
      case 'strong':
      case 'del':
      case 'blockquote':
        return fill(nest(place, token.type, depth), token.tokens, depth + 1)
      case 'paragraph':
        return fill(place.appendChild(make('p')), token.tokens, depth + 1)
      case 'heading':
        return fill(place.appendChild(headingOf(token)), token.tokens, depth + 1)
      case 'list':
        return fill(place.appendChild(listOf(token)), token.items, depth + 1)
      case 'list_item':
        return fill(place.appendChild(make('li')), token.tokens, depth + 1)
      case 'table':
        return place.append(scrollingFrame(tableOf(token, depth)))
      case 'link':
        return addLink(place, token, depth)
      case 'image':
        return addImage(place, token)
      case 'checkbox':
        return place.append(taskMark(token.checked), ' ')
      case 'codespan':
        place.appendChild(make('code')).append(token.text)
        return
      case 'code':
        return addCode(place, token.text.replace(/\n$/, ''), /^[\w+#.-]+/.exec(token.lang ?? '')?.[0])
      case 'br':
      case 'hr':
        return place.append(make(token.type))
      case 'space':
      case 'def':
        return
      default:
        return unreachable(token)
    }
  }

  function tableOf({ header, rows }: Tokens.Table, depth: number): HTMLTableElement {
    const table = make('table')
    addRow(table.createTHead(), header, depth)
    const body = rows.length > 0 && table.createTBody()
    if (body) for (const row of rows) addRow(body, row, depth)
    return table
  }

  function addRow(section: HTMLTableSectionElement, cells: Tokens.TableCell[], depth: number) {
    const row = section.insertRow()
    for (const { header, align, tokens } of cells) {
      const cell = row.appendChild(make(header ? 'th' : 'td'))
      if (align) cell.setAttribute('align', align)
      fill(cell, tokens, depth + 1)
    }
  }

  function addCode(place: ParentNode, text: string, language: string | undefined) {
    if (isInside(place, 'pre')) place.append(text)
    else place.append(frameOf(text, language))
  }

  /** A raw block, when all of it is there. */
  function frameBlock(block: Element) {
    block.replaceWith(frameOf(block.textContent.replace(/^\n|\n$/g, ''), undefined))
  }

  /** Frames are told apart by their place in the text, which is all that stays when it is drawn again. */
  function frameOf(text: string, language: string | undefined): HTMLElement {
    return codeFrame({ text, language, memory: within(memory, `code ${frames++}`) })
  }

  function addLink(place: ParentNode, { href, title, text, tokens, autolink }: Tokens.Link, depth: number) {
    const link = place.appendChild(linkTo(autolink ? href : decoded(href)))
    if (title) link.title = decoded(title)
    // A link that is its own address is meant to the letter.
    if (autolink) link.append(text)
    else fill(link, tokens, depth + 1)
  }
}

function addImage(place: ParentNode, { href, title, tokens }: Tokens.Image) {
  const image = imageOf(decoded(href), wordsOf(tokens))
  if (title) image.title = decoded(title)
  // A link within a link would lead elsewhere than what is around it.
  if (image instanceof HTMLAnchorElement && isInside(place, 'a')) place.append(image.textContent)
  else place.append(image)
}

function headingOf({ depth }: Tokens.Heading): HTMLElement {
  // One level for all, below the page's own headings, keeps the outline whole whatever an agent writes.
  const heading = make('h3')
  heading.className = `h${depth}`
  return heading
}

function listOf({ ordered, start }: Tokens.List): HTMLElement {
  if (!ordered) return make('ul')
  const list = make('ol')
  if (start !== 1) list.start = Number(start)
  return list
}
