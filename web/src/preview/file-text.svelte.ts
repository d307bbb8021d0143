import type { Attachment } from '../../../src/protocol/entries/attachment.ts'
import { filePath } from '../state/hub/page-key.ts'
import { type Block, createBlocks } from './blocks.ts'

export const FIRST_BYTES = 256 * 1024
/** How often what has come is drawn. */
const DRAW_MS = 100

/** A file as text, read from its beginning on as far as somebody wants to see it. */
export class FileText {
  blocks = $state.raw<Block[]>([])
  /** `part`: there is more to read; `bytes`: it is no text. */
  state = $state<'reading' | 'part' | 'whole' | 'bytes' | 'failed'>('reading')
  /** How many bytes are read. */
  read = $state(0)
  readonly #file: Attachment
  readonly #cut = createBlocks()
  readonly #decoder = new TextDecoder()
  readonly #leaving = new AbortController()

  constructor(file: Attachment) {
    this.#file = file
  }

  readStart() {
    return this.#readTo(FIRST_BYTES)
  }

  readAll() {
    return this.#readTo(this.#file.size)
  }

  close() {
    this.#leaving.abort()
  }

  async #readTo(end: number) {
    this.state = 'reading'
    try {
      await this.#take(await fetchPart(this.#file, this.read, end, this.#leaving.signal))
      this.state = this.read < this.#file.size ? 'part' : 'whole'
    } catch (error) {
      if (error instanceof NoText) this.state = 'bytes'
      // The hub is away, or nobody looks any more.
      else if (error instanceof TypeError || this.#leaving.signal.aborted) this.state = 'failed'
      else throw error
    }
    if (this.state === 'whole') this.#cut.end()
    this.blocks = this.#cut.soFar()
  }

  async #take(body: ReadableStream<Uint8Array>) {
    let drawn = performance.now()
    for await (const chunk of body) {
      // Texts have no such letter, and what is none has it soon.
      if (chunk.includes(0)) throw new NoText()
      this.#cut.add(this.#decoder.decode(chunk, { stream: true }))
      this.read += chunk.length
      if (performance.now() - drawn < DRAW_MS) continue
      this.blocks = this.#cut.soFar()
      // Pieces that came at once must not be taken at once: the page goes on meanwhile.
      await new Promise((resume) => setTimeout(resume))
      drawn = performance.now()
    }
  }
}

/** The first lines, for a look at it; nothing where it is no text or cannot be had. */
export async function firstLinesOf(file: Attachment, count: number): Promise<string> {
  try {
    const bytes = await new Response(await fetchPart(file, 0, count * LOOK_BYTES)).bytes()
    if (bytes.includes(0)) return ''
    const lines = new TextDecoder().decode(bytes, { stream: true }).split('\n', count)
    return lines.map((line) => line.slice(0, LOOK_BYTES)).join('\n')
  } catch (error) {
    if (error instanceof TypeError) return ''
    throw error
  }
}

const LOOK_BYTES = 200

class NoText extends Error {}

/** A body that breaks off, or none, is a TypeError like an address that nobody answers at. */
async function fetchPart(file: Attachment, from: number, end: number, signal?: AbortSignal) {
  const headers = { range: `bytes=${from}-${end - 1}` }
  const { ok, body, statusText } = await fetch(filePath(file), { headers, signal })
  if (!ok || !body) throw new TypeError(statusText)
  return body
}
