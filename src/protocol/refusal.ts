import { ParleyError } from './errors.ts'

/** Makes something of a refusal; every other error is thrown. */
export function ifRefused<Other>(made: (refusal: ParleyError) => Other): (error: unknown) => Other {
  return (error) => {
    if (error instanceof ParleyError) return made(error)
    throw error
  }
}
