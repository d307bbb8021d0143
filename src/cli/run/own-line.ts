import { randomUUID } from 'node:crypto'
import type { Transport } from '@modelcontextprotocol/client'
import type { SurfaceName } from '../../protocol/frames/surface-name.ts'
import type { Config } from '../config.ts'
import { lineTransport } from './line-transport.ts'

interface LineWanted {
  surface: SurfaceName
  /** The folder in which its file names start. */
  cwd?: string
  /** The conversation that it speaks in. */
  session?: string
  tell?(sentence: string): void
}

/** A line of this process's own, as `parley stdio` with the same settings would be: only the socket of the folder leads it to the hub. */
export function ownLine({ data, given }: Pick<Config, 'data' | 'given'>, wanted: LineWanted): Transport {
  const { surface, cwd = process.cwd(), session, tell = () => {} } = wanted
  const flags = Object.entries({ ...given, data, surface })
  const args = ['stdio', ...flags.map(([name, value]) => (value === '1' ? `--${name}` : `--${name}=${value}`))]
  const env = session === undefined ? process.env : { ...process.env, PARLEY_SESSION: session }
  return lineTransport({ args, env, cwd, line: randomUUID(), tell })
}
