import { isInside, make, nest, type ParentNode } from './make.ts'
import { isRawBlock, type RawTag } from './raw-tags.ts'

/** The raw tags that are open within a parent. What follows goes into the innermost, until it or the parent ends. */
export function openTags(parent: ParentNode, depth: number, frameCode: (block: Element) => void) {
  const open: { tag: RawTag; place: ParentNode; block?: Element }[] = []
  return { innermost, innerDepth, begin, end, endAll }

  function innermost(): ParentNode {
    return open.at(-1)?.place ?? parent
  }

  function innerDepth(): number {
    return depth + open.length
  }

  function begin(tag: RawTag) {
    if (isRawBlock(tag)) end('p')
    const outer = innermost()
    if (tag === 'br' || tag === 'hr') outer.append(make(tag))
    else if (tag === 'pre') open.push({ tag, ...codeIn(outer) })
    else open.push({ tag, place: nest(outer, tag, innerDepth()) })
  }

  /** Ends what was begun inside it as well; an end without a beginning is nothing. */
  function end(tag: RawTag) {
    const at = open.findLastIndex((one) => one.tag === tag)
    if (at >= 0) endFrom(at)
  }

  function endAll() {
    endFrom(0)
  }

  function endFrom(at: number) {
    for (const { block } of open.splice(at)) if (block) frameCode(block)
  }
}

/** A frame for code holds no other. */
function codeIn(place: ParentNode): { place: ParentNode; block?: Element } {
  if (isInside(place, 'pre')) return { place }
  const block = place.appendChild(make('pre'))
  return { place: block, block }
}
