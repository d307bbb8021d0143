import { access, constants, stat, statfs } from 'node:fs/promises'
import { createEmitter } from '../io/emitter.ts'
import { ifSystemError, ignoring } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import { isRefusal } from '../protocol/refusal.ts'

interface DiskParts {
  /** The data folder. */
  data: string
  /** The file that holds what is acknowledged. */
  file: string
  /** Resolves when something small is durable. */
  probe(): Promise<void>
}

export type Disk = Awaited<ReturnType<typeof watchDisk>>

const LOOK_MS = 1000
/** The next write may not fit when less than this is free. */
const LEAST_BYTES = 256 * 1024

/**
 * Whether the disk of a data folder takes what is said. A look each second costs no write: only while something is wrong
 * a small one is tried, because free space alone does not prove that there is room for it.
 */
export async function watchDisk({ data, file, probe }: DiskParts) {
  const gone = Promise.withResolvers<ParleyError>()
  const changes = createEmitter()
  const known = await identityOf(file)
  let trouble: ParleyError | undefined
  let closed = false
  let timer = setTimeout(tick, LOOK_MS).unref()
  return { refusal: () => trouble, troubled: become, onChange: changes.on, gone: gone.promise, close }

  function become(now: ParleyError | undefined) {
    const isOther = now?.message !== trouble?.message
    trouble = now
    if (isOther && !closed) changes.emit()
  }

  async function tick() {
    if (!(await isSame())) return gone.resolve(new ParleyError('data_gone', { data }))
    const seen = (await isFull(data)) ? new ParleyError('disk_full') : await unwritable(file)
    if (closed) return
    if (seen) become(seen)
    else if (trouble) await tryIt()
    if (!closed) timer = setTimeout(tick, LOOK_MS).unref()
  }

  async function isSame(): Promise<boolean> {
    const now = await identityOf(file)
    return now === known || now === 'unknown'
  }

  async function tryIt() {
    await probe().then(
      () => become(undefined),
      // A log that failed in another way, or closes, says so itself.
      (error) => isRefusal(error) && become(error),
    )
  }

  function close() {
    closed = true
    clearTimeout(timer)
  }
}

/** The identity of a file, whatever its name; nothing where there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}-${ino}`,
    ifSystemError(({ code }) => (code === 'ENOENT' ? undefined : 'unknown')),
  )
}

async function isFull(data: string): Promise<boolean> {
  const told = await statfs(data).catch(ignoring())
  // Some file systems do not tell.
  if (!told || told.blocks === 0) return false
  return told.bsize * (process.getuid?.() === 0 ? told.bfree : told.bavail) < LEAST_BYTES
}

/** A file system that became read-only says so when it is only asked. */
async function unwritable(file: string): Promise<ParleyError | undefined> {
  const refused = await access(file, constants.W_OK).then(
    () => undefined,
    ifSystemError((error) => error),
  )
  return refused?.code === 'EROFS' ? new ParleyError('disk_failing', { reason: 'it is read-only' }) : undefined
}
