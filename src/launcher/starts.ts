interface Coming {
  /** How often the same command is there. */
  times: number
  /** The conversation that it begins, once that is known. */
  conversation?: string
  named: Promise<unknown>
}

/** Commands that begin conversations now. Each counts once, also where its agent is awake before it is over. */
export function createStarts() {
  const coming = new Map<string, Coming>()
  return { has: (command: string) => coming.has(command), during, countWith, named }

  /** Does it in two steps: the first says which conversation it is about as soon as it can, the second begins it. */
  async function during<Begun>(
    command: string,
    prepare: (isOf: (conversation: string) => void) => Promise<() => Promise<Begun>>,
  ): Promise<Begun> {
    const one = coming.get(command) ?? { times: 0, named: Promise.resolve() }
    coming.set(command, one)
    one.times++
    try {
      const prepared = prepare((conversation) => {
        one.conversation = conversation
      })
      one.named = prepared
      return await (await prepared)()
    } finally {
      if (--one.times === 0) coming.delete(command)
    }
  }

  /** How many there are with these, which are awake or about to be. */
  function countWith(atWork: ReadonlySet<string>): number {
    const others = [...coming.values()].filter(
      ({ conversation }) => conversation === undefined || !atWork.has(conversation),
    )
    return atWork.size + others.length
  }

  /** Resolves once it is known of each, as far as it can be, which conversation it is about. */
  async function named() {
    await Promise.allSettled([...coming.values()].map((one) => one.named))
  }
}
