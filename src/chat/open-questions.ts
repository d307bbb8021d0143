/** Which questions are open, and where. It follows the rooms, so that nobody has to look through them. */
export function createOpenQuestions({ changed }: { changed(conversation: string): void }) {
  const places = new Map<string, string>()
  const counts = new Map<string, number>()
  return {
    add,
    remove,
    placeOf: (question: string) => places.get(question),
    isAnyIn: (conversation: string) => counts.has(conversation),
    /** The one of the oldest question first. */
    conversations: () => new Set(places.values()),
    count: () => places.size,
  }

  function add(question: string, conversation: string) {
    places.set(question, conversation)
    counts.set(conversation, (counts.get(conversation) ?? 0) + 1)
    changed(conversation)
  }

  function remove(question: string) {
    const conversation = places.get(question)
    if (conversation === undefined) return
    places.delete(question)
    const others = (counts.get(conversation) ?? 1) - 1
    if (others > 0) counts.set(conversation, others)
    else counts.delete(conversation)
    changed(conversation)
  }
}
