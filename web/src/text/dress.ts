import { codeFrame } from './frame.ts'
import { type Memory, within } from './memory.ts'

/** Makes clean HTML fit for the timeline: links that lead out, images that load nothing, code in frames. */
export function dress(fragment: DocumentFragment, memory: Memory) {
  for (const link of fragment.querySelectorAll('a')) openOutside(link)
  for (const image of fragment.querySelectorAll('img')) if (!isLocal(image)) image.replaceWith(linkTo(image))
  for (const box of fragment.querySelectorAll('input')) box.replaceWith(taskMark(box.checked))
  for (const table of fragment.querySelectorAll('table')) scrollInside(table)
  for (const [n, block] of [...fragment.querySelectorAll('pre')].entries())
    frameCode(block, within(memory, `code ${n}`))
  for (const block of fragment.querySelectorAll<HTMLElement>('p, li, h3, td, th, blockquote, summary'))
    block.dir = 'auto'
}

function openOutside(link: HTMLAnchorElement) {
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/** A remote image would tell its server who reads this and when. */
function isLocal(image: HTMLImageElement): boolean {
  const source = image.getAttribute('src') ?? ''
  return source.startsWith('data:image/') || URL.parse(source, location.href)?.origin === location.origin
}

function linkTo(image: HTMLImageElement): HTMLElement {
  const link = document.createElement('a')
  const source = URL.parse(image.getAttribute('src') ?? '')
  if (source?.protocol === 'https:' || source?.protocol === 'http:') link.href = source.href
  link.textContent = `Image: ${image.alt || source?.host || 'without a source'}`
  openOutside(link)
  return link
}

function taskMark(done: boolean): HTMLElement {
  const mark = document.createElement('span')
  mark.className = done ? 'task done' : 'task'
  mark.role = 'img'
  mark.ariaLabel = done ? 'Done' : 'To do'
  return mark
}

function scrollInside(table: HTMLTableElement) {
  const frame = document.createElement('div')
  frame.className = 'table'
  // A region that scrolls must be reachable without a mouse.
  frame.tabIndex = 0
  frame.role = 'group'
  frame.ariaLabel = 'Table'
  table.replaceWith(frame)
  frame.append(table)
}

/** Blocks are told apart by their place in the text, which is all that stays when it is drawn again. */
function frameCode(block: HTMLPreElement, memory: Memory) {
  const language = /language-([\w+#.-]+)/.exec(block.firstElementChild?.className ?? '')?.[1]
  block.replaceWith(codeFrame({ text: block.textContent.replace(/\n$/, ''), language, memory }))
}
