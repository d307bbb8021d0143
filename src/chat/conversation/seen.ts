interface Waiting {
  id: string
  resolve(): void
  reject(error: unknown): void
}

/** The position of a follower of the journal, and those who wait until it has come further. */
export function createSeen(begin: string) {
  let last = begin
  let failure: { error: unknown } | undefined
  let waiting: Waiting[] = []
  return { has, until, further, moveTo, fail, hasFailed: () => failure !== undefined }

  /** Whether it has seen everything up to this entry, and can go on. */
  function has(id: string): boolean {
    return failure === undefined && id <= last
  }

  /** Resolves once it has seen everything up to this entry, or the wait is over. */
  async function until(id: string, over?: AbortSignal): Promise<void> {
    if (failure) throw failure.error
    if (id <= last) return
    await new Promise<void>((resolve, reject) => {
      const one = { id, resolve, reject }
      waiting.push(one)
      over?.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== one)
        resolve()
      })
    })
  }

  /** Resolves once it has seen anything new: this sorts right after the last id. */
  function further(): Promise<void> {
    return until(`${last}+`)
  }

  function moveTo(id: string) {
    last = id
    const done = waiting.filter(({ id }) => id <= last)
    waiting = waiting.filter(({ id }) => id > last)
    for (const { resolve } of done) resolve()
  }

  /** Nothing more will be seen. */
  function fail(error: unknown) {
    failure = { error }
    const all = waiting
    waiting = []
    for (const { reject } of all) reject(error)
  }
}
