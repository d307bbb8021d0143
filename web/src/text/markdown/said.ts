/** A message, for whoever draws it. */
export interface Said {
  /** The id of its entry, once it is one. */
  id?: string
  by: string
  text: string
  /** Markdown when absent. */
  mime?: string
}
