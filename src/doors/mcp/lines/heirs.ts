import { COMES_AGAIN_MS } from '../../../chat/delivery/visits.ts'
import type { Hello } from '../../../protocol/frames/link.ts'

export type Heirs = ReturnType<typeof createHeirs>

/** A line, as far as it matters here. */
interface KnownLine {
  hello: Hello
  /** Whether an agent of this name could be the one that this line had, or has. */
  couldBe(hello: Hello, client: string): boolean
  /** The conversations it speaks or spoke in, as far as that is decided. */
  speaksIn(): string[]
}

interface HeirsParts {
  /** The lines that are there or expected back, with what tells when that is known of one. */
  lines(): Iterable<{ lineSession: KnownLine; lost?: PromiseWithResolvers<void> }>
}

/** Only so many lines that left within a minute are remembered; which of more an agent could be, nobody knows. */
const MOST_GONE = 1000

/** Knows of lines that went, and so whether an agent that comes can only be one of theirs. */
export function createHeirs({ lines }: HeirsParts) {
  const opened = Date.now()
  const went = new Map<KnownLine, number>()
  let forgotAt = Number.NEGATIVE_INFINITY
  return { gone, settled, since, isOnly }

  function gone(lineSession: KnownLine) {
    for (const [other, at] of went) if (at < Date.now() - COMES_AGAIN_MS) went.delete(other)
    went.set(lineSession, Date.now())
    const [oldest] = went.keys()
    if (went.size <= MOST_GONE || !oldest) return
    went.delete(oldest)
    forgotAt = Date.now()
  }

  /** Resolves when of the other lines of its folder it is known whether they are there; nothing where that is known. */
  function settled({ folder }: Hello): Promise<unknown> | undefined {
    const lost: Promise<void>[] = []
    for (const line of lines()) if (line.lost && line.lineSession.hello.folder === folder) lost.push(line.lost.promise)
    return lost.length > 0 ? Promise.all(lost) : undefined
  }

  /** Questions asked before this may be of a line that this hub has not seen and that is still on its way here. */
  function since(): number {
    return Date.now() - opened < COMES_AGAIN_MS ? opened : 0
  }

  /** No other line that is there, or went in the last minute, could be the one that was in this conversation. */
  function isOnly(hello: Hello, client: string, conversation: string): boolean {
    if (forgotAt >= Date.now() - COMES_AGAIN_MS) return false
    const others = [...lines()]
      .map(({ lineSession }) => lineSession)
      .filter((lineSession) => lineSession.hello.line !== hello.line)
    const waiting = others.filter((lineSession) => lineSession.speaksIn().length === 0)
    const lately = [...went].flatMap(([lineSession, at]) => (at >= Date.now() - COMES_AGAIN_MS ? lineSession : []))
    // One that was nowhere yet has left nothing.
    const elsewhere = lately.filter(
      (lineSession) => lineSession.speaksIn().length > 0 && !lineSession.speaksIn().includes(conversation),
    )
    return ![...waiting, ...elsewhere].some((lineSession) => lineSession.couldBe(hello, client))
  }
}
