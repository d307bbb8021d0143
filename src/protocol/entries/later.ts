import { BEFORE_ALL } from './entry.ts'

/** The greatest of these ids. */
export function later(...ids: (string | undefined)[]): string {
  return ids.reduce<string>((last, id = BEFORE_ALL) => (id > last ? id : last), BEFORE_ALL)
}
