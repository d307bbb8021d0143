import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { jsonIn } from '../../protocol/text/json.ts'

/** The process of a folder's last hub, and its port, where its pages look for the next one. Nobody trusts it. */
interface LastHub {
  pid: number
  port: number
  /** The path of its socket, if that is not in the folder: other processes may have other temporary folders. */
  socket?: string
}

const FILE = 'last-hub.json'

export function lastHub(data: string): LastHub | undefined {
  // There never was one, or nobody may know.
  const text = attempt(() => readFileSync(join(data, FILE), 'utf8'), ignoring()) ?? ''
  const { pid, port, socket } = (jsonIn(text) ?? {}) as Partial<LastHub>
  const place = typeof socket === 'string' ? { socket } : {}
  return isCount(pid) && isCount(port) && port < 65_536 ? { pid, port, ...place } : undefined
}

/**
 * Where there is no room for it, whatever else needs room has more to say about that. It does not wait for the disk:
 * every start would, and a machine that fails has no such process any more.
 */
export function rememberHub(data: string, hub: LastHub) {
  attempt(() => replaceFile(join(data, FILE), JSON.stringify(hub), { flush: false }), ignoring())
}

/** The error of a hub that is there and says nothing, for a caller that cannot wait. */
export function hubSilent(data: string, cause?: unknown): ParleyError {
  return new ParleyError('hub_silent', { pid: lastHubPid(data), advice: 'end that process to go on' }, cause)
}

/** The process id, for sentences about a hub that does not speak for itself. */
export function lastHubPid(data: string): number | '?' {
  return lastHub(data)?.pid ?? '?'
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0
}
