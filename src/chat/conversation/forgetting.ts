import { randomUUID } from 'node:crypto'
import type { ClearTexts } from '../../files/clear-texts.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Journal } from '../../log/journal.ts'
import { NO_NOTE, type Notes, presentNotes } from '../../log/notes.ts'
import type { Views } from '../../log/views.ts'
import { BEFORE_ALL, type Body } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { letGoOf } from '../people/stored-preferences.ts'
import type { Uploads } from '../people/uploads.ts'
import { attachedHashes } from './attached-hashes.ts'
import { bodies, knownId } from './decision.ts'
import { heldIn, marksOf, watermarksOf } from './note-names.ts'
import type { Projection } from './projection.ts'
import type { Rooms } from './rooms.ts'

export interface ForgettingParts {
  journal: Pick<Journal, 'erased'>
  views: Pick<Views, 'read' | 'named'>
  rooms: Pick<Rooms, 'forget'>
  projection: Pick<Projection, 'ready' | 'reached' | 'keep'>
  notes: Notes
  files?: Pick<FileStore, 'moment' | 'remove'>
  /** Called before the conversation is gone; `last` is its last entry. */
  forgetting?(conversation: string, by: string, last: string): Promise<void>
  clear: Pick<ClearTexts, 'forget'>
  uploads: Pick<Uploads, 'gone'>
  report(error: unknown): void
}

/**
 * How the names of notes begin that name a file of what was forgotten each, until it is known that nobody else uses it.
 * Kept, so that a crash forgets none, and one by one for each forgetting, so that no hub removes what another one left.
 */
const LEFT = 'file left '
/** All of them, where an older Parley kept them. */
const ALL_LEFT = 'files left'

interface Left {
  /** The moment since when nobody else has wanted it. */
  since: number
  notes: string[]
}

/** Forgets a conversation: what it asked is withdrawn, then it is gone, and then everything that only it had. */
export function createForgetting(parts: ForgettingParts) {
  const { journal, views, rooms, projection, notes, files, report } = parts
  /** Files by their hashes. */
  const left = new Map<string, Left>()
  let closed = false
  // A failed start is reported elsewhere.
  let erasing = goOn(projection.ready.then(recall, () => {}))
  return { forget, erased: () => erasing, close: () => (closed = true) }

  /**
   * Resolves when nobody can see it any more. `upTo` is the last entry that was seen of what is meant: one that began
   * later only has its name, and who asks again for what is done is not refused.
   */
  async function forget(conversation: string, by: string, upTo?: string): Promise<void> {
    await projection.ready
    const [first] = await views.read({ conversation, after: BEFORE_ALL, limit: 1 })
    if (!first && upTo === undefined) throw new ParleyError('unknown_conversation', { conversation })
    if (!first || (upTo !== undefined && first.id > upTo)) return
    await rooms.forget(conversation, {
      lastWords: (state) => bodies(...withdrawn(state, by)),
      prepare: async (last) => {
        await prepare(conversation, last)
        // Before it is gone: what is erased then has no page with its name left.
        await letGoOf(notes, conversation)
        await parts.forgetting?.(conversation, by, last)
        await parts.clear.forget(conversation)
      },
      traces: tracesOf(conversation),
    })
    // Earlier failures were reported, and are tried again now.
    erasing = goOn(erasing.catch(() => {}))
  }

  /** Erasing that fails is tried again with the next conversation, or by the next hub. */
  function goOn(before: Promise<void>): Promise<void> {
    const done = before.then(erase)
    done.catch((error) => closed || report(error))
    return done
  }

  /** A start that finds the conversation gone must not find its questions open, nor miss its files. */
  async function prepare(conversation: string, last: string) {
    await projection.reached(last)
    await projection.keep(conversation)
    if (!files) return
    const since = files.moment()
    await keepLeft(await attachedHashes(views, conversation), since)
  }

  async function recall() {
    const all = await notes.get(ALL_LEFT)
    if (all) {
      await keepLeft(all.value as string[], 0)
      await notes.forget([ALL_LEFT])
    }
    for (const { name } of await presentNotes(notes, LEFT)) {
      const [hash = ''] = name.slice(LEFT.length).split(' ')
      leave(hash, 0, name)
    }
  }

  async function keepLeft(hashes: Iterable<string>, since: number) {
    const names = Array.from(hashes, (hash) => {
      const name = `${LEFT}${hash} ${randomUUID()}`
      leave(hash, since, name)
      return name
    })
    await Promise.all(names.map((name) => notes.put(name, true, NO_NOTE)))
  }

  function leave(hash: string, since: number, note: string) {
    left.set(hash, { since, notes: [...(left.get(hash)?.notes ?? []), note] })
  }

  async function erase() {
    await journal.erased()
    const unsure = [...left]
    if (!files || unsure.length === 0) return
    const used = await views.named(unsure.map(([hash]) => hash))
    const gone: string[] = []
    const done: string[] = []
    for (const [hash, known] of unsure) {
      if (!used.includes(hash) && (await files.remove(hash, known.since))) gone.push(hash)
      if (left.get(hash) !== known) continue
      left.delete(hash)
      done.push(...known.notes)
    }
    await notes.forget(done)
    await parts.uploads.gone(gone)
  }
}

/** Everything that is open; its agents are told so. */
export function withdrawn({ open }: ConversationState, by: string): Body[] {
  return open.map(({ id }) => ({ kind: 'settlement', question: knownId(id), outcome: 'withdrawn', by }))
}

/** The beginnings of the names of what is kept about it beside its entries. */
function tracesOf(conversation: string): string[] {
  return [watermarksOf(conversation), marksOf(conversation), heldIn(conversation)]
}
