import type { Change } from './changes.ts'

type Take = (fresh: Change[], isLast: boolean) => void

/** The lines of a change that come piece by piece. */
export class GrowingLines {
  readonly all: Change[] = []
  #ended = false
  readonly #takers = new Set<Take>()

  /** Lines that are all there. */
  static of(lines: Change[]): GrowingLines {
    const growing = new GrowingLines()
    growing.add(lines)
    growing.end()
    return growing
  }

  add(lines: Change[]) {
    this.all.push(...lines)
    for (const take of this.#takers) take(lines, false)
  }

  /** There are no more. */
  end() {
    this.#ended = true
    for (const take of this.#takers) take([], true)
  }

  /** Gives `take` what is there, and all that comes, until it is told to stop. */
  follow(take: Take): () => void {
    take(this.all, this.#ended)
    this.#takers.add(take)
    return () => this.#takers.delete(take)
  }
}
