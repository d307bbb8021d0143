import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { ParleyError } from '../protocol/errors.ts'
import { jsonIn } from '../protocol/json.ts'

const FILE = 'hub.json'

/** How a process of the same data folder finds its hub, and shows that it may read that folder. */
export const HubCard = z.object({
  pid: z.int(),
  /** Where a process of this machine connects to. */
  host: z.string().check(z.regex(/^[\w.:-]+$/)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  /** Where a browser does. */
  url: z.string(),
  secret: z.string().check(z.regex(/^[\w-]+$/)),
})
export type HubCard = z.infer<typeof HubCard>

/** Whole or not at all, for nobody but the owner of the folder. */
export function writeCard(data: string, card: HubCard) {
  const path = join(data, FILE)
  writeFileSync(`${path}.${card.pid}`, JSON.stringify(card), { mode: 0o600 })
  renameSync(`${path}.${card.pid}`, path)
}

/** Instead of the error that the folder is in use: by which hub. */
export function runsAlready(data: string): ParleyError | undefined {
  const card = readCard(data)
  return card && new ParleyError('hub_runs', { url: card.url, data })
}

/** Nothing where there never was a hub. It may be of one that is gone: only a connection tells. */
export function readCard(data: string): HubCard | undefined {
  const path = join(data, FILE)
  // A damaged one is as good as none, and the next hub writes a new one.
  return existsSync(path) ? HubCard.safeParse(jsonIn(readFileSync(path, 'utf8'))).data : undefined
}
