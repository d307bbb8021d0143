import type { Views } from '../../log/views.ts'
import type { AttachmentRef } from '../../protocol/entries/attachment.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { can, type Principal } from '../../protocol/principal.ts'
import type { Reading } from '../reading/reading.ts'

interface UploadsParts {
  notes: Reading['notes']
  views: Pick<Views, 'named'>
  report(error: unknown): void
}

type Named = Pick<AttachmentRef, 'hash'>

const NAME = 'uploads'
/** Uploads beyond this push out the same person's first ones. */
const MOST_UNSAID = 1000

export type Uploads = ReturnType<typeof createUploads>

/**
 * The readers of files, who may also attach them: those who see an entry that names the file, and until then its
 * uploader. Kept, so that a file uploaded to one hub can be used at the next. Administrators may read all.
 */
export function createUploads({ notes, views, report }: UploadsParts) {
  const unsaid = new Map<string, Set<string>>()
  let recalled: Promise<void> | undefined
  // Each caller that needs it gets the error.
  known().catch(() => {})
  return { filesOf, gone }

  function filesOf(principal: Principal) {
    const { id, conversation } = principal
    const isTheirHub = conversation === undefined && can(principal, 'administer')
    return { uploaded, mayRead, withFiles }

    async function uploaded(hash: string): Promise<void> {
      await known()
      const own = unsaid.get(id) ?? new Set()
      unsaid.set(id, own)
      own.delete(hash)
      own.add(hash)
      for (const oldest of own) {
        if (own.size <= MOST_UNSAID) break
        own.delete(oldest)
      }
      await keep()
    }

    async function mayRead(hash: string): Promise<boolean> {
      await known()
      return isOwn(hash) || (await views.named([hash], conversation)).length > 0
    }

    /** Says it at once where possible, because commands that come together keep their order. */
    function withFiles<Said>(refs: Named[] | undefined, say: () => Promise<Said>): Promise<Said> {
      if (!refs?.length) return say()
      const said = refs.every(({ hash }) => isOwn(hash)) ? say() : mustRead(refs).then(say)
      return said.then((done) => {
        forget(refs)
        return done
      })
    }

    /** A file that somebody may not read is not there for them. */
    async function mustRead(refs: Named[]) {
      for (const { hash } of refs) if (!(await mayRead(hash))) throw new ParleyError('unknown_file', { hash })
    }

    function isOwn(hash: string): boolean {
      return isTheirHub || (unsaid.get(id)?.has(hash) ?? false)
    }

    /** From now on the entry says who may read them. */
    function forget(refs: Named[]) {
      const own = unsaid.get(id)
      const known = refs.filter(({ hash }) => own?.delete(hash))
      if (own?.size === 0) unsaid.delete(id)
      if (known.length > 0) keep().catch(report)
    }
  }

  /** Nothing tells of a file that is not there any more. */
  async function gone(hashes: string[]): Promise<void> {
    await known()
    let isLess = false
    for (const [id, own] of unsaid) {
      for (const hash of hashes) isLess = own.delete(hash) || isLess
      if (own.size === 0) unsaid.delete(id)
    }
    if (isLess) await keep()
  }

  /** A failed look-up is tried again by the next caller. */
  function known(): Promise<void> {
    recalled ??= recall().catch((error) => {
      recalled = undefined
      throw error
    })
    return recalled
  }

  async function recall() {
    for (const [id, hashes] of ((await notes.get(NAME)) ?? []) as [string, string[]][]) unsaid.set(id, new Set(hashes))
  }

  function keep(): Promise<void> {
    return notes.put(
      NAME,
      Array.from(unsaid, ([id, hashes]) => [id, [...hashes]]),
    )
  }
}
