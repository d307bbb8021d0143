import * as z from 'zod/mini'
import { jsonIn } from '../../../src/protocol/text/json.ts'
import { keepIn } from '../state/hub/store.ts'
import { type Remark, replyOf, written } from '../text/changes/remarks.ts'

const STORED_AS = 'parley.review.'
const Remarks = z.array(
  z.object({ change: z.number(), line: z.number(), where: z.string(), code: z.string(), text: z.string() }),
)

type ReviewStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The person's remarks on the changes in one entry, until they are sent. */
export class Review {
  #remarks = $state.raw<Remark[]>([])
  readonly #name: string
  readonly #store: ReviewStore

  constructor(entry: string, store: ReviewStore) {
    this.#name = STORED_AS + entry
    this.#store = store
    this.read()
  }

  get remarks(): Remark[] {
    return this.#remarks
  }

  get count(): number {
    return written(this.#remarks).length
  }

  get reply(): string {
    return replyOf(this.#remarks)
  }

  at(change: number, line: number): Remark | undefined {
    return this.#remarks.find((remark) => remark.change === change && remark.line === line)
  }

  /** Replaces the remark on that line. */
  write(remark: Remark) {
    this.#put([...this.#without(remark), remark])
  }

  remove(remark: Remark) {
    this.#put(this.#without(remark))
  }

  clear() {
    this.#put([])
  }

  /** Reads again when another tab changed something. */
  read() {
    this.#remarks = Remarks.safeParse(jsonIn(this.#store.getItem(this.#name) ?? '')).data ?? []
  }

  #without({ change, line }: Remark): Remark[] {
    return this.#remarks.filter((other) => other.change !== change || other.line !== line)
  }

  #put(remarks: Remark[]) {
    this.#remarks = remarks
    if (remarks.length === 0) this.#store.removeItem(this.#name)
    else keepIn(this.#store, this.#name, JSON.stringify(remarks))
  }
}

/** One for each entry, and the same for all who ask. */
export class Reviews {
  readonly #store: ReviewStore
  readonly #byEntry = new Map<string, Review>()

  constructor(store: ReviewStore) {
    this.#store = store
  }

  of(entry: string): Review {
    const review = this.#byEntry.get(entry) ?? new Review(entry, this.#store)
    this.#byEntry.set(entry, review)
    return review
  }

  /** Another tab stored something. */
  hear(name: string | null) {
    if (name?.startsWith(STORED_AS)) this.#byEntry.get(name.slice(STORED_AS.length))?.read()
  }
}
