import type { TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import { newKey } from '../state/hub/key.ts'
import type { Link } from '../state/hub/link.svelte.ts'

type Found = Extract<TimelineFrame, { type: 'files_found' }>
type Shown = Extract<TimelineFrame, { type: 'file' }>

/** The files in the folders of conversations, as far as somebody looks for them. */
export class FolderFiles {
  /** What was found last, by paths in the folder. */
  found = $state.raw<{ query: string; paths: string[] }>()
  /** The file that is open. */
  shown = $state.raw<Omit<Shown, 'type' | 'key'>>()
  /** Why it is not shown. */
  problem = $state<string>()
  readonly #send: Link['send']
  /** Only the newest questions count. */
  #finding: { key: string; query: string } | undefined
  #showing: string | undefined

  constructor(send: Link['send']) {
    this.#send = send
  }

  find(conversation: string, query: string) {
    this.#finding = { key: newKey(), query }
    this.#send({ type: 'find_files', key: this.#finding.key, conversation, query })
  }

  show(conversation: string, path: string) {
    this.shown = this.problem = undefined
    this.#showing = newKey()
    this.#send({ type: 'show_file', key: this.#showing, conversation, path })
  }

  take(frame: Found | Shown) {
    if (frame.type === 'files_found') {
      if (frame.key === this.#finding?.key) this.found = { query: this.#finding.query, paths: frame.paths }
    } else if (frame.key === this.#showing) {
      const { type: _, key: __, ...file } = frame
      this.shown = file
    }
  }

  /** Whether it was what the hub refused. */
  refuse(key: string, problem: string): boolean {
    if (key === this.#finding?.key) {
      this.found = undefined
      return true
    }
    if (key !== this.#showing) return false
    this.problem = problem
    return true
  }
}
