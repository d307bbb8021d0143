/** Which parts of a text the person opened or changed, for when it is drawn again. */
export interface Memory {
  has(name: string): boolean
  put(name: string, on: boolean): void
}

export const NO_MEMORY: Memory = { has: () => false, put: () => {} }

/** A part of the memory, for one of several like it. */
export function within(memory: Memory, place: string): Memory {
  return {
    has: (name) => memory.has(`${place} ${name}`),
    put: (name, on) => memory.put(`${place} ${name}`, on),
  }
}

/** Where what was opened is kept anyway. */
export function memoryIn(opened: {
  has(key: string): boolean
  add(key: string): unknown
  delete(key: string): unknown
}) {
  return {
    has: (name: string) => opened.has(name),
    put: (name: string, on: boolean) => void (on ? opened.add(name) : opened.delete(name)),
  }
}
