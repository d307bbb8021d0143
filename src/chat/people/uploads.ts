import { changeNote, type Notes } from '../../log/notes.ts'
import type { Views } from '../../log/views.ts'
import type { AttachmentRef } from '../../protocol/entries/attachment.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { can, type Principal } from '../../protocol/principal.ts'

interface UploadsParts {
  notes: Notes
  views: Pick<Views, 'named'>
  report(error: unknown): void
}

type Named = Pick<AttachmentRef, 'hash'>

/** How the names begin of what each person has uploaded and not yet said. */
const UNSAID = 'unsaid files '
/** What was uploaded by all, where an older Parley kept it: each person with their hashes. */
const OF_ALL = 'uploads'
/** Uploads beyond this push out the same person's first ones. */
const MOST_UNSAID = 1000

export type Uploads = ReturnType<typeof createUploads>

/**
 * The readers of files, who may also attach them: those who see an entry that names the file, and until then its
 * uploader. Kept, so that a file uploaded to one hub can be used at the next. Administrators may read all.
 */
export function createUploads({ notes, views, report }: UploadsParts) {
  const unsaid = new Map<string, Set<string>>()
  let following: { close(): void } | undefined
  let recalled: Promise<void> | undefined
  // Each caller that needs it gets the error.
  known().catch(() => {})
  return { filesOf, gone, close: () => following?.close() }

  function filesOf(principal: Principal) {
    const { id, conversation } = principal
    const isTheirHub = conversation === undefined && can(principal, 'administer')
    return { uploaded, mayRead, withFiles }

    async function uploaded(hash: string): Promise<void> {
      await known()
      await keep(id, (own) => [...own.filter((other) => other !== hash), hash].slice(-MOST_UNSAID))
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
      const said = new Set(refs.map(({ hash }) => hash).filter((hash) => own?.delete(hash)))
      if (said.size > 0) keep(id, (own) => own.filter((hash) => !said.has(hash))).catch(report)
    }
  }

  /** Nothing tells of a file that is not there any more. */
  async function gone(hashes: string[]): Promise<void> {
    await known()
    const owners = [...unsaid].filter(([, own]) => hashes.some((hash) => own.has(hash)))
    await Promise.all(owners.map(([id]) => keep(id, (own) => own.filter((hash) => !hashes.includes(hash)))))
  }

  async function keep(id: string, change: (own: string[]) => string[]) {
    await changeNote(notes, UNSAID + id, (own) => change((own ?? []) as string[]))
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
    const ofAll = await notes.get(OF_ALL)
    if (ofAll) await keepOneByOne(ofAll.value as [string, string[]][])
    await new Promise<void>((begun, failed) => {
      following = notes.follow(UNSAID, 'start', {
        note: ({ name, value }) => unsaid.set(name.slice(UNSAID.length), new Set(value as string[])),
        forgotten: (name) => unsaid.delete(name.slice(UNSAID.length)),
        begun,
        failed,
      })
    })
  }

  async function keepOneByOne(all: [string, string[]][]) {
    for (const [id, hashes] of all) await keep(id, (own) => [...new Set([...hashes, ...own])])
    await notes.forget([OF_ALL])
  }
}
