/** The parts of a text that the person opened or changed, for when it is drawn again. */
export interface Memory {
  has(name: string): boolean
  put(name: string, on: boolean): void
}

export const NO_MEMORY: Memory = { has: () => false, put: () => {} }

/** The memory of what is always shown whole; whatever is done to it is soon forgotten. */
export const ALL_OPEN: Memory = { has: () => true, put: () => {} }

/** A part of the memory, for one of several like it. */
export function within(memory: Memory, place: string): Memory {
  return {
    has: (name) => memory.has(`${place} ${name}`),
    put: (name, on) => memory.put(`${place} ${name}`, on),
  }
}
