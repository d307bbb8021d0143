import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { besideUs } from './process.ts'

export const MOUNTED_SERVER = besideUs('mounted-server.ts')

/** A data folder whose hub mounts one server as `up`, and allows everything. */
export function mounting(data: string, server: object): string {
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { up: server } }))
  writeFileSync(join(data, 'policy.jsonc'), '{ "rules": [{ "decision": "allow" }] }')
  return data
}

/** A mounted server that is a process of its own. */
export function mountedProcess(tools: number): { command: string; args: string[] } {
  return { command: process.execPath, args: [MOUNTED_SERVER, 'stdio', String(tools)] }
}
