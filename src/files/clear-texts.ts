import { hash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ifSystemError, ignoring, isSystemError } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import { ClearText } from '../protocol/secrets/clear-text.ts'
import { jsonIn } from '../protocol/text/json.ts'

/** The texts that are masked in the log, by conversation and a name that its entry has. */
export interface ClearTexts {
  /** Resolves once they are durable. */
  keep(conversation: string, texts: ReadonlyMap<string, ClearText>): Promise<void>
  read(conversation: string, name: string): Promise<ClearText | undefined>
  forget(conversation: string): Promise<void>
}

/** Those of a data folder: a file for each conversation, for its owner only. Or of a hub that keeps nothing. */
export function openClearTexts(data: string): ClearTexts {
  return data === 'memory' ? rememberClearTexts() : keepClearTexts(join(data, 'masked'))
}

export function rememberClearTexts(): ClearTexts {
  const kept = new Map<string, Map<string, ClearText>>()
  return {
    async keep(conversation, texts) {
      kept.set(conversation, new Map([...(kept.get(conversation) ?? []), ...texts]))
    },
    read: async (conversation, name) => kept.get(conversation)?.get(name),
    async forget(conversation) {
      kept.delete(conversation)
    },
  }
}

function keepClearTexts(folder: string): ClearTexts {
  /** Files whose names are durable. */
  const known = new Set<string>()
  return { keep, read, forget }

  async function keep(conversation: string, texts: ReadonlyMap<string, ClearText>) {
    if (texts.size === 0) return
    const place = placeOf(conversation)
    // Each begins a line of its own, also after half a line that a hub left that was killed.
    const lines = Array.from(texts, ([name, text]) => `\n${JSON.stringify({ name, ...text })}`).join('')
    await write(place, lines).catch(ifSystemError(refused))
  }

  async function write(place: string, lines: string) {
    const isNew = await mkdir(folder, { recursive: true, mode: 0o700 })
    await withFile(place, 'a', async (file) => {
      await file.writeFile(lines)
      await file.datasync()
    })
    if (!known.has(place)) await syncFolder(folder)
    known.add(place)
    if (isNew) await syncFolder(join(folder, '..'))
  }

  async function read(conversation: string, name: string): Promise<ClearText | undefined> {
    const lines = await readFile(placeOf(conversation), 'utf8').catch(missing)
    const start = `{"name":${JSON.stringify(name)},`
    const line = lines?.split('\n').find((line) => line.startsWith(start))
    return ClearText.safeParse(jsonIn(line ?? '')).data
  }

  async function forget(conversation: string) {
    const place = placeOf(conversation)
    known.delete(place)
    await rm(place, { force: true })
  }

  function placeOf(conversation: string): string {
    return join(folder, `${hash('sha256', conversation)}.jsonl`)
  }
}

function refused(error: NodeJS.ErrnoException): never {
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) throw new ParleyError('disk_full', {}, error)
  throw new ParleyError('disk_failing', { reason: error.code ?? error.message }, error)
}

async function withFile(path: string, flags: string, use: (file: FileHandle) => Promise<void>) {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/** A name is durable when its folder is. Windows keeps names by itself and opens no folders. */
async function syncFolder(path: string) {
  if (process.platform !== 'win32') await withFile(path, 'r', (folder) => folder.sync())
}

const missing = ignoring('ENOENT')
