interface Node<Unit> {
  next?: Map<Unit, Node<Unit>>
  found?: number[]
}

/** Numbers by what a sequence begins with, found in as many steps as that is long. */
export function createTrie<Unit>() {
  const root: Node<Unit> = {}
  return { add, visit }

  function add(units: Iterable<Unit>, number: number) {
    let node = root
    for (const unit of units) {
      node.next ??= new Map()
      const next: Node<Unit> = node.next.get(unit) ?? {}
      node.next.set(unit, next)
      node = next
    }
    node.found ??= []
    node.found.push(number)
  }

  /** All that the sequence begins with; `unitAt` says nothing behind its end. */
  function visit(unitAt: (n: number) => Unit | undefined, found: (numbers: readonly number[]) => void) {
    let node: Node<Unit> | undefined = root
    for (let n = 0; node; n++) {
      if (node.found) found(node.found)
      const unit: Unit | undefined = node.next && unitAt(n)
      node = unit === undefined ? undefined : node.next?.get(unit)
    }
  }
}
export type Trie<Unit> = ReturnType<typeof createTrie<Unit>>
