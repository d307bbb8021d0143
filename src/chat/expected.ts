export type Expected = ReturnType<typeof createExpected>

/** Questions whose replies are in the hands of a call: it waits for them, or they are on their way to its agent. */
export function createExpected() {
  const calls = new Map<string, { count: number; known: PromiseWithResolvers<void> }>()
  return { expects, known }

  /** Until what is returned is called, once for each call. */
  function expects(questions: string[]): () => void {
    for (const question of questions) {
      const { count, known } = calls.get(question) ?? { count: 0, known: Promise.withResolvers<void>() }
      calls.set(question, { count: count + 1, known })
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      for (const question of questions) end(question)
    }
  }

  /** Once it is known whether the reply reached a call. */
  async function known(question: string): Promise<void> {
    await calls.get(question)?.known.promise
  }

  function end(question: string) {
    const { count, known } = calls.get(question) ?? { count: 1 }
    if (known && count > 1) return calls.set(question, { count: count - 1, known })
    calls.delete(question)
    known?.resolve()
  }
}
