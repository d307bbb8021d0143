/** A node that takes others. */
export type ParentNode = Element | DocumentFragment

/** Deeper than anyone writes, and no trouble to draw. */
const DEEPEST = 100

export function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  // Code keeps its direction, whatever is around it, and does not change that.
  if (tag === 'code' || tag === 'kbd') made.dir = 'ltr'
  return made
}

/** Each block begins on the side that its first letter asks for, with all that is in it: a list has one side. */
export function direct(blocks: Iterable<Element>) {
  for (const block of blocks) if (block instanceof HTMLElement && block.dir === '') block.dir = 'auto'
}

/** A new element in the place; too deep it is the place itself, and what would be inside stands beside. */
export function nest(place: ParentNode, tag: keyof HTMLElementTagNameMap, depth: number): ParentNode {
  return depth < DEEPEST ? place.appendChild(make(tag)) : place
}

export function isInside(place: ParentNode, tag: string): boolean {
  return place instanceof Element && place.closest(tag) !== null
}

export function taskMark(done: boolean): HTMLElement {
  const mark = make('span')
  mark.className = done ? 'task done' : 'task'
  mark.role = 'img'
  mark.ariaLabel = done ? 'Done' : 'To do'
  return mark
}

export function scrollingFrame(table: HTMLTableElement): HTMLElement {
  const frame = make('div')
  frame.className = 'table'
  // A region that scrolls must be reachable without a mouse.
  frame.tabIndex = 0
  frame.role = 'group'
  frame.ariaLabel = 'Table'
  frame.append(table)
  return frame
}
