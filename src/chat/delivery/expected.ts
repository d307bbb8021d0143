export type Expected = ReturnType<typeof createExpected>

/**
 * What is in the hands of a call, which waits for it or has it on its way to its agent: the replies to questions, by
 * these, or what was said in conversations, by their names.
 */
export function createExpected() {
  const calls = new Map<string, { count: number; known: PromiseWithResolvers<void> }>()
  return { expects, known }

  /** Until what is returned is called, once for each call. */
  function expects(names: string[]): () => void {
    for (const name of names) {
      const { count, known } = calls.get(name) ?? { count: 0, known: Promise.withResolvers<void>() }
      calls.set(name, { count: count + 1, known })
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      for (const name of names) end(name)
    }
  }

  /** Once it is known whether it reached the agents of these calls. */
  async function known(name: string): Promise<void> {
    await calls.get(name)?.known.promise
  }

  function end(name: string) {
    const { count, known } = calls.get(name) ?? { count: 1 }
    if (known && count > 1) return calls.set(name, { count: count - 1, known })
    calls.delete(name)
    known?.resolve()
  }
}
