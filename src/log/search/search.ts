export interface SearchQuery {
  /** Any text. What is in double quotes is one word, blanks included. */
  query: string
  /** Words are looked for that are one letter away. */
  similar?: boolean
  /** The whole log is searched without it. */
  conversation?: string
  /** Only these conversations are searched. */
  among?: string[]
  /** Only entries before this id are found. */
  before?: string
  /** Only entries of this moment or later are found, in milliseconds since 1970. */
  since?: number
  /** Only entries before this moment are found, in milliseconds since 1970. */
  until?: number
  /** Only entries with one of the tags of each group are found. With this or `since` no word is needed. */
  tags?: string[][]
  limit: number
}

export interface Findings {
  hits: Hit[]
  /** The `before` of the next search. Absent when there is nothing older to look at. */
  next?: string
  /** Some entries are not in the index yet, and cannot be found. */
  indexing: boolean
}

interface Hit {
  id: string
  conversation: string
  at: number
  snippet: Snippet
  tags: string[]
}

/** A piece of the text around its first match, in one line. */
export interface Snippet {
  text: string
  /** What matches in it, by UTF-16 units, in order and apart from each other. */
  ranges: [start: number, end: number][]
}

export interface Findable {
  text: string
  /** Tags that tell it apart, besides its words. */
  tags?: string[]
  /** The text as people read it, which a snippet shows where all the words are in it. */
  shown?: () => string
}

/** What can be found of a body; nothing where it says nothing. A module that exports it as `textOf` is given to an engine. */
export type TextOf = (body: unknown) => Findable | undefined
