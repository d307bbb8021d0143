/** What the model answers to one request. */
export interface Reply {
  think?: string[]
  say?: string[]
  /** A tool may be one of a group that has a name of its own. */
  calls?: { name: string; namespace?: string; input: unknown }[]
  tokens?: { input: number; output: number }
  /** The connection is cut behind what was said, or ends there as if nothing more was to come. */
  cut?: 'broken' | 'ended'
  /** Nothing more comes, and the connection stays. */
  hang?: true
  /** The service fails in the middle of the stream. */
  fails?: string
  finish?: 'length' | 'refusal'
  /** Instead of an answer. */
  refuse?: { status: number; message: string; code?: string; headers?: Record<string, string> }
}

export function unfinished({ cut, hang, fails }: Reply): boolean {
  return Boolean(cut || hang || fails)
}

export function failure(type: string, message: string): Record<string, unknown> {
  return { type: 'error', error: { type, code: type, message } }
}

/** Arguments come in pieces. A text is what a model gets wrong. */
export function inTwo(input: unknown): string[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
