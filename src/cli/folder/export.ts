import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createExports } from '../../export/exports.ts'
import { openFolder } from '../../export/folder.ts'
import { orUndo } from '../../io/or-undo.ts'
import { ifSystemError, ignoring } from '../../io/system-error.ts'
import { EXPORT_FORMATS, type ExportFormat, exportPath } from '../../protocol/frames/export.ts'
import { unwritable } from '../../protocol/refusal.ts'
import { visible } from '../../protocol/text/visible.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { hubOrFolder } from './hub-or-folder.ts'
import { type Chunks, ownerGet } from './owner-get.ts'

interface Opened {
  chunks: Chunks
  close(): Promise<void>
}

interface ExportOptions {
  name: string
  format: ExportFormat
}

/** Reads from the hub of the folder if one runs, and else from the folder itself; see docs/adr. */
export async function exportConversation({ config: { data }, flags, words: [name = ''] }: Typed) {
  const { output } = flags
  const wanted = { name, format: formatOf(flags.format ?? byEnding(output) ?? 'md') }
  noMemory(data, 'it keeps nothing that could be exported')
  const { chunks, close } = await hubOrFolder(
    () => fromHub(data, wanted),
    () => fromFolder(data, wanted),
  )
  try {
    await (output === undefined ? toStdout(chunks) : toFile(chunks, output))
  } finally {
    await close()
  }
}

function formatOf(text: string): ExportFormat {
  const known = EXPORT_FORMATS.find((format) => format === text)
  if (!known)
    throw usage(`Unknown format ${text}`, { wrong: text, known: EXPORT_FORMATS, help: 'parley export --help' })
  return known
}

/** `--output talk.html` says it all. */
function byEnding(output = ''): ExportFormat | undefined {
  return EXPORT_FORMATS.find((format) => output.endsWith(`.${format}`))
}

async function fromHub(data: string, { name, format }: ExportOptions): Promise<Opened | undefined> {
  const chunks = await ownerGet(data, exportPath(name, format))
  return chunks && { chunks, close: async () => {} }
}

async function fromFolder(data: string, { name, format }: ExportOptions): Promise<Opened> {
  const folder = await openFolder(data)
  const wanted = { source: folder.source, name, format }
  const { chunks } = await orUndo(() => createExports(folder).open(wanted), folder.close)
  return { chunks, close: folder.close }
}

async function toStdout(chunks: Chunks) {
  const shown = Readable.from(process.stdout.isTTY ? forTerminal(chunks) : chunks)
  // This fails where the reader has read enough, as `head` does.
  await pipeline(shown, process.stdout, { end: false }).catch(ignoring('EPIPE'))
}

/** A file is as faithful as it can be; a terminal would do what it is told. */
export async function* forTerminal(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks)
    yield visible(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
  yield visible(decoder.decode())
}

/** The file is written whole or not at all: half a conversation must not look like one. */
async function toFile(chunks: Chunks, path: string) {
  const part = `${path}.part`
  const write = async () => {
    // One that was left, or a link that somebody put there: it must not be written through. [S63]
    await rm(part, { force: true })
    await pipeline(Readable.from(chunks), createWriteStream(part, { flags: 'wx', mode: 0o600 }))
    await rename(part, path)
  }
  // What kept the file from being written is the error to tell, not what kept its half from being removed.
  const removed = () => Promise.allSettled([rm(part, { force: true })])
  await orUndo(write, removed).catch(ifSystemError(unwritable(path)))
}
