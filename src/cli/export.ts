import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createExports } from '../export/exports.ts'
import { openFolder } from '../export/folder.ts'
import { type HubCard, readCard } from '../join/hub-card.ts'
import { ParleyError } from '../protocol/errors.ts'
import { exportPath, OWNER_HEADER } from '../protocol/export.ts'
import type { Config } from './config.ts'
import type { ExportOrder } from './export-order.ts'
import { usage } from './usage.ts'

type Chunks = AsyncIterable<string | Uint8Array>

// A hub that is just starting or ending holds the folder and answers nobody; it is soon one or the other.
const PATIENCE_MS = 5000
const RETRY_MS = 50

/** From the hub of the folder if one runs, and else from the folder itself; see docs/adr. */
export async function exportConversation({ data }: Config, order: ExportOrder) {
  if (data === 'memory') throw usage('memory keeps nothing that could be exported')
  const { chunks, close } = await open(data, order)
  try {
    await (order.output === undefined ? toStdout(chunks) : toFile(chunks, order.output))
  } finally {
    await close()
  }
}

async function open(data: string, order: ExportOrder): Promise<{ chunks: Chunks; close(): Promise<void> }> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const card = readCard(data)
    const chunks = card && (await fromHub(card, order))
    if (chunks) return { chunks, close: async () => {} }
    try {
      return await fromFolder(data, order)
    } catch (error) {
      const taken = error instanceof ParleyError && error.code === 'data_in_use'
      if (!taken || Date.now() > deadline) throw error
      await pause(RETRY_MS)
    }
  }
}

/** Nothing when no hub of this folder answers there. */
async function fromHub({ host, port, secret }: HubCard, { name, format }: ExportOrder): Promise<Chunks | undefined> {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(address + exportPath(name, format), { headers }).catch(nobodyThere)
  if (!response?.body || !response.headers.has(OWNER_HEADER)) return undefined
  if (response.ok) return response.body
  const { error } = (await response.json()) as { error: string }
  throw new ParleyError('refused_by_hub', { reason: error })
}

async function fromFolder(data: string, { name, format }: ExportOrder) {
  const folder = await openFolder(data)
  try {
    const { chunks } = await createExports(folder).open({ source: folder.source, name, format })
    return { chunks, close: folder.close }
  } catch (error) {
    await folder.close()
    throw error
  }
}

async function toStdout(chunks: Chunks) {
  try {
    await pipeline(Readable.from(chunks), process.stdout, { end: false })
  } catch (error) {
    // Whoever reads has read enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Whole or not at all: half a conversation must not look like one. */
async function toFile(chunks: Chunks, path: string) {
  const part = `${path}.part`
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part, { mode: 0o600 }))
    await rename(part, path)
  } catch (error) {
    // What kept the file from being written is the error to tell, not what kept its half from being removed.
    await Promise.allSettled([rm(part, { force: true })])
    if (!isOfSystem(error)) throw error
    throw new ParleyError('data_unwritable', { reason: `${path} cannot be written (${error.message})` })
  }
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

/** The card may be of a hub that is gone, and its port of nobody or of another program. */
function nobodyThere(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error
}
