import type { MarkedToken } from 'marked'
import { tokensOf } from '../../../../src/protocol/text/markdown.ts'
import { liveLines } from './live-lines.ts'
import { make } from './make.ts'
import { NO_MEMORY } from './memory.ts'
import { nodesOf } from './nodes.ts'

/** A block that is longer is drawn as it is until it ends: it would be read anew with every word. */
const LONGEST_BLOCK = 12_000
/** The length up to which finished blocks stand together, neither styled nor laid out while they are not on screen. */
const STANDING = 3000
const FENCE = /^ {0,3}(`{3,}|~{3,})([\w+#.-]*)[^\n]*(?:\n|$)/

/** Code that has no end yet, and what ends it. */
interface OpenCode {
  end: RegExp
  lines: ReturnType<typeof liveLines>
  block: HTMLElement
}

/** Markdown that grows. Only its last block can still become something else, so only that is drawn again. */
export function growingMarkdown(place: HTMLElement) {
  let known = 0
  /** The text of the last block, and what it is drawn as. */
  let rest = ''
  let drawn: ChildNode[] = []
  let code: OpenCode | undefined
  /** The part that takes finished blocks, until there is enough of them. */
  let standing: { part: HTMLElement; length: number } | undefined
  /** Set for a block that is too long, or made to keep the page busy. */
  let plain: ReturnType<typeof liveLines> | undefined
  return { show, end, reset }

  function reset() {
    known = 0
    rest = ''
    drawn = []
    code = plain = standing = undefined
    place.replaceChildren()
  }

  /** The whole text; what of it is new is at its end. */
  function show(text: string) {
    const more = text.slice(known).replace(/\r\n?/g, '\n')
    if (more === '') return
    known = text.length
    rest += more
    if (plain) return plain.append(more)
    if (code && !endCode(code)) return writeCode(code, more)
    const tokens = rest.length > LONGEST_BLOCK ? undefined : tokensOf(rest)
    if (!tokens) return goOnPlain()
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    const done = tokens.slice(0, Math.max(0, last))
    draw(tokens.slice(done.length), done)
  }

  /** Nothing more comes. Whether it is drawn as a message would be, now. */
  function end(): boolean {
    if (plain) return false
    if (!code) return true
    const tokens = tokensOf(rest)
    if (!tokens) return false
    for (const node of drawn) node.remove()
    stand(nodesOf(tokens, NO_MEMORY), rest.length)
    code = undefined
    return true
  }

  function draw(tokens: MarkedToken[], done: MarkedToken[]) {
    for (const node of drawn) node.remove()
    const length = done.reduce((sum, { raw }) => sum + raw.length, 0)
    if (length > 0) stand(nodesOf(done, NO_MEMORY), length)
    rest = rest.slice(length)
    const fence = FENCE.exec(rest)
    if (fence && isOpen(fence)) return beginCode(fence)
    const nodes = nodesOf(tokens, NO_MEMORY)
    drawn = [...nodes.childNodes]
    place.append(nodes)
  }

  /** Nothing of it changes any more. */
  function stand(nodes: DocumentFragment, length: number) {
    if (!standing) {
      const part = place.appendChild(make('div'))
      part.className = 'markdown standing'
      standing = { part, length: 0 }
    }
    standing.part.append(nodes)
    standing.length += length
    if (standing.length > STANDING) standing = undefined
  }

  /** Code counts as open only after its first line, which says what language it is in. */
  function isOpen([line, mark = '']: RegExpExecArray): boolean {
    return line.endsWith('\n') && !endOf(mark).test(rest)
  }

  function beginCode([line, mark = '', language]: RegExpExecArray) {
    const frame = make('div')
    frame.className = 'code growing'
    frame.dir = 'ltr'
    const bar = make('div')
    bar.className = 'bar'
    const name = make('span')
    name.className = 'name'
    name.textContent = language || 'text'
    bar.append(name)
    const block = make('pre')
    const inner = block.appendChild(make('code'))
    frame.append(bar, block)
    drawn = [frame]
    place.append(frame)
    code = { end: endOf(mark), lines: liveLines(inner), block }
    writeCode(code, rest.slice(line.length))
  }

  /** Whether it is over. Then it looks as it will in the message, if it is not too long for that. */
  function endCode({ end }: OpenCode): boolean {
    const found = end.exec(rest)
    if (!found) return false
    const block = rest.slice(0, found.index + found[0].length)
    const tokens = tokensOf(block)
    if (tokens) {
      for (const node of drawn) node.remove()
      stand(nodesOf(tokens, NO_MEMORY), block.length)
    } else standing = undefined
    rest = rest.slice(block.length)
    drawn = []
    code = undefined
    return true
  }

  function goOnPlain() {
    for (const node of drawn) node.remove()
    const block = make('div')
    block.className = 'plain'
    block.dir = 'auto'
    place.append(block)
    plain = liveLines(block)
    plain.append(rest)
  }
}

/** Shows the end of it, unless the person looks at something above. */
function writeCode({ lines, block }: OpenCode, text: string) {
  const isAtEnd = block.scrollHeight - block.scrollTop - block.clientHeight < 8
  lines.append(text)
  if (isAtEnd) block.scrollTop = block.scrollHeight
}

function endOf(mark: string): RegExp {
  return new RegExp(`\\n {0,3}${mark}[${mark[0]}]*[ \\t]*(?:\\n|$)`)
}
