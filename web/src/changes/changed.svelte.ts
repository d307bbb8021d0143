import { CHANGES_PATH, type ChangedFile, Changes } from '../../../src/protocol/frames/asked/changes.ts'
import { post, Refused } from '../gateway/call.ts'
import { addedAndRemoved, type Change, changesIn } from '../text/changes/changes.ts'
import { linesOf } from '../text/changes/file-changes.ts'
import { GrowingLines } from '../text/changes/growing-lines.ts'
import type { Numbering } from '../text/changes/spots.ts'
import { numberOf } from './number-of.ts'

/** More lines than this are not drawn before somebody wants them. */
const DRAWN_AT_ONCE = 3000

/** One difference to be drawn: of a file, or one of the edits in it. */
export interface Drawn {
  lines: GrowingLines
  numbering: Numbering
  /** The same as long as the difference is. */
  number: number
}

export interface ShownFile extends ChangedFile {
  added: number | undefined
  removed: number | undefined
  drawn: Drawn[]
  open: boolean
}

/** What an agent changed, as it was when it was last asked for. */
export class Changed {
  readonly #conversation: string
  about = $state.raw<Omit<Changes, 'files'>>()
  files = $state.raw<ShownFile[]>([])
  problem = $state('')
  loading = $state(true)

  constructor(conversation: string) {
    this.#conversation = conversation
    void this.load()
  }

  async load() {
    this.loading = true
    const found = await this.#ask()
    this.loading = false
    if (!found) return
    const { files, ...about } = found
    let left = DRAWN_AT_ONCE
    this.about = about
    this.files = files.map((file) => {
      const shown = shownOf(file)
      left -= linesIn(shown)
      return { ...shown, open: shown.drawn.length > 0 && left >= 0 }
    })
  }

  /** A difference that was too long to come along is asked for when it is wanted. */
  async toggle(path: string) {
    const file = this.files.find((one) => one.path === path)
    if (!file) return
    if (file.without !== 'long') return this.#put({ ...file, open: !file.open })
    const [whole] = (await this.#ask(path))?.files ?? []
    if (whole) this.#put({ ...shownOf({ ...file, ...whole, without: undefined }), open: true })
  }

  #put(file: ShownFile) {
    this.files = this.files.map((one) => (one.path === file.path ? file : one))
  }

  async #ask(path?: string): Promise<Changes | undefined> {
    this.problem = ''
    return post(CHANGES_PATH, { conversation: this.#conversation, path }).then(
      (told) => Changes.parse(told),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error
        this.problem = error.message
        return undefined
      },
    )
  }
}

function shownOf(file: ChangedFile): ShownFile {
  const { path, patch, edits = [] } = file
  const texts =
    patch === undefined
      ? edits.map((edit) => ({ lines: linesOf({ path, ...edit }), numbering: { by: 'edit' as const, file: path } }))
      : [{ lines: withoutHeading(changesIn(patch)), numbering: { by: 'patch' as const, file: path } }]
  const counted = addedAndRemoved(texts.flatMap(({ lines }) => lines))
  return {
    ...file,
    added: file.added ?? (edits.length > 0 ? counted.added : undefined),
    removed: file.removed ?? (edits.length > 0 ? counted.removed : undefined),
    drawn: texts
      .filter(({ lines }) => lines.length > 0)
      .map(({ lines, numbering }) => ({ lines: whole(lines), numbering, number: numberOf(path, lines) })),
    open: false,
  }
}

/** The names of the file stand above it. */
function withoutHeading(lines: Change[]): Change[] {
  const first = lines.findIndex(({ text }) => text.startsWith('@@'))
  const last = lines.at(-1)?.text === '' ? -1 : undefined
  return first === -1 ? [] : lines.slice(first, last)
}

function whole(lines: Change[]): GrowingLines {
  const growing = new GrowingLines()
  growing.add(lines)
  growing.end()
  return growing
}

function linesIn({ drawn }: ShownFile): number {
  return drawn.reduce((sum, { lines }) => sum + lines.all.length, 0)
}
