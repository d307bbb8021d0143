import { join } from 'node:path'

/** The log of a data folder. */
export function logFile(data: string): string {
  return join(data, 'parley.db')
}
