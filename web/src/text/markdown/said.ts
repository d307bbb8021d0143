/** What somebody says, for whoever draws it. */
export interface Said {
  /** Of its entry, once it is one. */
  id?: string
  by: string
  text: string
  /** Markdown when absent. */
  mime?: string
}
