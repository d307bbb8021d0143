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
  const place = /^gitdir: (.+)$/.exec((await firstLine(path)) ?? '')?.[1]
  return place === undefined ? undefined : resolve(dirname(path), place)
}

function inHead(head: string | undefined): string | undefined {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head ?? '')?.[1]
  return branch ?? (/^[0-9a-f]{40,64}$/.exec(head ?? '') ? head?.slice(0, SHORT_HASH) : undefined)
}

async function firstLine(path: string): Promise<string | undefined> {
  await using file = await open(path, READ_NOW).catch(ignoring())
  if (!file) return undefined
  const read = await file.read({ buffer: Buffer.alloc(LONGEST) }).catch(ignoring())
  return read?.buffer.toString('utf8', 0, read.bytesRead).split('\n')[0]?.trim()
}
