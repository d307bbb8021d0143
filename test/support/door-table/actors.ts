import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ownerKeyFile } from '../../../src/doors/socket/owner-key.ts'
import { openHubProcess } from '../../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../../src/hub/startup-lock.ts'
import { localPrincipal, type Principal, type Role } from '../../../src/protocol/principal.ts'
import { viewOf } from '../hub.ts'
import { libraryAt } from '../upstream/library-server.ts'

/** The conversation that every act is about, and another one. */
export const HERE = 'here'
export const ELSEWHERE = 'elsewhere'

export type TableHub = Awaited<ReturnType<typeof openTableHub>>

/** Who acts: a column of the table. */
export interface Actor {
  column: string
  hub: TableHub
  /** What it shows over HTTP. */
  headers: Record<string, string>
  /** What it shows when it says hello, or gives an order. */
  shows: { token?: string; key?: string }
  /** Who it is where a caller without a token would have this role. */
  principalAs(role: Role): Principal
}

/** A real hub on a real log with a mounted server, that asks about everything. */
export async function openTableHub() {
  const data = mkdtempSync(join(tmpdir(), 'parley-doors-'))
  const lib = libraryAt(join(data, 'asked'))
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { lib } }), { mode: 0o600 })
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [{ decision: 'ask' }] }), { mode: 0o600 })
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const hub = await openHubProcess({ startupLock, data, given: { log: 'error', 'max-rate': '1000000' } })
  onTestFinished(async () => {
    await hub.end('ending')
    rmSync(data, { recursive: true, force: true })
  })
  return { ...hub, view: viewOf(hub), data, key: readFileSync(ownerKeyFile(data), 'utf8') }
}

/** Those who have a token: of each role, for all conversations, for the one that is meant, and for another. */
const TOKENS: [role: Role, conversation?: string][] = [
  ['human'],
  ['human', HERE],
  ['human', ELSEWHERE],
  ['agent'],
  ['agent', HERE],
  ['agent', ELSEWHERE],
  ['orchestrator'],
  ['orchestrator', HERE],
  ['orchestrator', ELSEWHERE],
  ['admin'],
  ['admin', ELSEWHERE],
]

/** Everybody who may come, of a hub without tokens and of one with. `open owner` is known by the owner's key alone. */
export async function actorsOf(open: TableHub, closed: TableHub): Promise<Actor[]> {
  await closed.tokens.protect()
  const bound: Actor[] = []
  for (const [role, conversation] of TOKENS) {
    const column = conversation ? `${role} ${conversation}` : role
    const { secret, principal } = await closed.tokens.create({ name: column.replace(' ', '-'), role, conversation })
    bound.push({
      column,
      hub: closed,
      headers: { authorization: `Bearer ${secret}` },
      shows: { token: secret },
      principalAs: () => principal,
    })
  }
  const { cookie, pageKey } = await closed.tokens.trade(await closed.tokens.link('local'))
  const owner = { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
  return [
    { column: 'open', hub: open, headers: {}, shows: {}, principalAs: localPrincipal },
    { column: 'open owner', hub: open, headers: {}, shows: { key: open.key }, principalAs: localPrincipal },
    { column: 'nobody', hub: closed, headers: {}, shows: {}, principalAs: localPrincipal },
    {
      column: 'stranger',
      hub: closed,
      headers: { authorization: 'Bearer parley_nobody' },
      shows: { token: 'parley_nobody' },
      principalAs: localPrincipal,
    },
    { column: 'owner', hub: closed, headers: owner, shows: { key: closed.key }, principalAs: localPrincipal },
    ...bound,
  ]
}
