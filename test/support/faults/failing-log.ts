import { createFollowers } from '../../../src/log/followers.ts'
import { NO_ENTRY } from '../../../src/log/journal.ts'
import type { Log } from '../../../src/log/views.ts'
import { newLog } from '../chat.ts'

/** Which call fails; with `dead` all after it fail too, and whoever follows is told. */
export interface Fault {
  at: number
  dead: boolean
}

export type FailingLog = Awaited<ReturnType<typeof openFailingLog>>

/** A real log, except for one call of any kind, counted from the first. */
export async function openFailingLog({ at, dead }: Fault) {
  const inner = newLog()
  const followers = createFollowers((page) => counted('follow', () => inner.read(page)))
  let calls = 0
  let isDead = false
  let isClosed = false
  let failed: string | undefined
  const broken = Promise.withResolvers<void>()
  inner.follow(
    { after: NO_ENTRY },
    { entries: followers.announce, forgotten: followers.forget, failed: followers.fail },
  )
  // From here on it tells of every append before that is answered.
  await new Promise(setImmediate)
  const log: Log = {
    append: (...args) => counted('append', () => inner.append(...args)),
    forget: (...args) => counted('forget', () => inner.forget(...args)),
    erased: () => counted('erased', () => inner.erased()),
    forgottenTo: () => counted('forgottenTo', () => inner.forgottenTo()),
    named: (...args) => counted('named', () => inner.named(...args)),
    read: (page) => counted('read', () => inner.read(page)),
    find: (...args) => counted('find', () => inner.find(...args)),
    conversations: (page) => counted('conversations', () => inner.conversations(page)),
    snapshots: {
      get: (...args) => counted('snapshots.get', () => inner.snapshots.get(...args)),
      put: (...args) => counted('snapshots.put', () => inner.snapshots.put(...args)),
    },
    notes: {
      get: (...args) => counted('notes.get', () => inner.notes.get(...args)),
      put: (...args) => counted('notes.put', () => inner.notes.put(...args)),
      follow: inner.notes.follow,
      forget: (...args) => counted('notes.forget', () => inner.notes.forget(...args)),
    },
    last: () => counted('last', () => inner.last()),
    search: () => counted('search', async () => ({ hits: [], indexing: false })),
    follow(...following) {
      if (isClosed) throw new Error('The log is closed')
      return followers.follow(...following)
    },
    signal: followers.signal,
    async close() {
      isClosed = true
      followers.close()
      await counted('close', () => inner.close())
    },
  }
  return {
    log,
    /** Everything in it, whatever fails. */
    inner,
    /** The name of the call that failed, once one has. */
    failed: () => failed,
    /** Resolves once one has. */
    broken: broken.promise,
    isClosed: () => isClosed,
    /** All of a sudden, as when its thread ends. */
    die() {
      isDead = true
      followers.fail(new Error('The log is dead'))
    },
  }

  async function counted<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (isDead) throw new Error('The log is dead')
    if (++calls !== at) return work()
    failed = `${name}, call ${calls}`
    broken.resolve()
    const error = new Error(`The log failed (${failed})`)
    isDead = dead
    if (dead) followers.fail(error)
    throw error
  }
}
