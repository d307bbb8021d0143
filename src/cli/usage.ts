import { ParleyError } from '../protocol/errors.ts'
import { nearest } from '../protocol/nearest.ts'
import type { Name } from '../protocol/text.ts'

/** What was not understood, with the nearest right thing where there is one. */
export function usage(problem: string, wrong?: string, known: readonly string[] = []): ParleyError {
  const hint = wrong && nearest(wrong, [...known])
  return new ParleyError('usage', {
    problem: hint ? `${problem}; did you mean ${hint}?` : `${problem}; see parley --help`,
  })
}

export function checked(schema: typeof Name, what: string, text: string): string {
  const { data, error } = schema.safeParse(text)
  if (data === undefined) throw usage(`${what} ${error?.issues[0]?.message}`)
  return data
}
