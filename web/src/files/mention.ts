const BEFORE_CARET = /(?:^|\s)@([\w./@+-]{0,100})$/

/** The name of a file that is being typed behind an @, up to the caret. */
export function mentionIn(text: string, caret: number): { from: number; query: string } | undefined {
  const query = BEFORE_CARET.exec(text.slice(0, caret))?.[1]
  return query === undefined ? undefined : { from: caret - query.length, query }
}
