import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ignoring } from '../system-error.ts'

const LONGEST = 4096
const SHORT_HASH = 12
/** A pipe in the place of a file is not waited for. */
const READ_NOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The branch of the working tree that a folder is in, or the commit where there is none; read without git. */
export async function branchOf(folder: string): Promise<string | undefined> {
  for (let above = folder; ; above = dirname(above)) {
    const git = await gitFolder(join(above, '.git'))
    if (git !== undefined) return inHead(await firstLine(join(git, 'HEAD')))
    if (above === dirname(above)) return undefined
  }
}

/** A working tree that was added has a file there, which says where. */
async function gitFolder(path: string): Promise<string | undefined> {
  if ((await firstLine(join(path, 'HEAD'))) !== undefined) return path
  // As git reads it: a folder above may have a line end in its name.
  const place = /^gitdir: (.+?)[\r\n]*$/s.exec((await beginning(path)) ?? '')?.[1]
  return place === undefined ? undefined : resolve(dirname(path), place)
}

function inHead(head: string | undefined): string | undefined {
  // Git makes none with a control character, and a file may have any.
  const branch = /^ref: refs\/heads\/(\P{Cc}+)$/u.exec(head ?? '')?.[1]
  return branch ?? (/^[0-9a-f]{40,64}$/.exec(head ?? '') ? head?.slice(0, SHORT_HASH) : undefined)
}

async function firstLine(path: string): Promise<string | undefined> {
  return (await beginning(path))?.split('\n')[0]?.trim()
}

async function beginning(path: string): Promise<string | undefined> {
  await using file = await open(path, READ_NOW).catch(ignoring())
  if (!file) return undefined
  const read = await file.read({ buffer: Buffer.alloc(LONGEST) }).catch(ignoring())
  return read?.buffer.toString('utf8', 0, read.bytesRead)
}
