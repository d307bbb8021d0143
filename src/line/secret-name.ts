import { randomBytes } from '../doors/socket/random-bytes.ts'

/** One that nobody guesses. */
export function secretName(): string {
  return randomBytes(16).toString('hex')
}
