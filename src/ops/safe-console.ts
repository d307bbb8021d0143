import { format } from 'node:util'
import { visible } from '../protocol/text/visible.ts'

/**
 * Texts of others are letters at a terminal and nothing else: they clear no screen and write to no clipboard. [S153]
 */
export function makeConsoleSafe(target: Pick<Console, 'log' | 'error' | 'warn'> = console) {
  for (const name of ['log', 'error', 'warn'] as const) {
    const print = target[name]
    target[name] = (...words: unknown[]) => print('%s', visible(format(...words)))
  }
}
