import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { jsonIn } from '../protocol/json.ts'
import { isRecord } from '../protocol/record.ts'

export type MountsFile = ReturnType<typeof openMountsFile>

/** What is mounted, in the shape of `.mcp.json`, in the data folder. A hub that keeps nothing has it in memory. */
export function openMountsFile(data: string) {
  const path = data === 'memory' ? undefined : join(data, 'mcp.json')
  let kept: Record<string, unknown> = {}
  return { read: () => serversIn(content()), change }

  /** Everything else in the file stays as it is. */
  function change(alter: (servers: Record<string, unknown>) => void) {
    const before = content()
    const servers = { ...serversIn(before) }
    alter(servers)
    save({ ...before, mcpServers: servers })
  }

  function content(): Record<string, unknown> {
    if (path === undefined) return kept
    if (!existsSync(path)) return {}
    const value = jsonIn(readFileSync(path, 'utf8'))
    if (!isRecord(value)) throw damaged('it is not a JSON object')
    return value
  }

  function serversIn({ mcpServers = {} }: Record<string, unknown>): Record<string, unknown> {
    if (!isRecord(mcpServers)) throw damaged('"mcpServers" is not an object')
    return mcpServers
  }

  /** Nobody ever reads half of it. It may hold secrets. */
  function save(value: Record<string, unknown>) {
    kept = value
    if (path === undefined) return
    const beside = `${path}.new`
    writeFileSync(beside, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(beside, path)
  }

  function damaged(reason: string) {
    return new ParleyError('mounts_damaged', { path: path ?? 'memory', reason })
  }
}
