import { orUndo } from '../or-undo.ts'

/** A session's own way to say that it is lost, and to hear that nobody wants it any more. */
export interface SessionLife {
  ended: AbortSignal
  lose(error: unknown): void
}

interface OneSessionParts<Session> {
  open(life: SessionLife): Promise<Session>
  end(session: Session): unknown
  /** Called once for each session that was lost or could not be opened. */
  lost(error: unknown): void
}

interface Held<Session> {
  opening: Promise<Session>
  session?: Session
  ending: AbortController
}

/** One session at a time: opened when somebody uses it, used by everybody until it is lost, and closed in any case. */
export function oneSession<Session>({ open, end, lost }: OneSessionParts<Session>) {
  let current: Held<Session> | undefined
  return { use, now, close }

  /** Throws what the work throws, or why there is no session. */
  async function use<Result>(work: (session: Session) => Promise<Result>, isLost: (error: unknown) => boolean) {
    current ??= begin()
    const held = current
    const session = await orUndo(
      () => held.opening,
      (error) => lose(held, error),
    )
    return orUndo(
      () => work(session),
      (error) => isLost(error) && lose(held, error),
    )
  }

  function begin(): Held<Session> {
    const ending = new AbortController()
    const opening = Promise.resolve({ ended: ending.signal, lose: (error: unknown) => lose(held, error) }).then(open)
    const held: Held<Session> = { opening, ending }
    void opening.then(
      (session) => {
        held.session = session
      },
      () => {},
    )
    return held
  }

  /** The one that is open. */
  function now(): Session | undefined {
    return current?.session
  }

  function lose(held: Held<Session>, error: unknown) {
    if (held !== current) return
    // A session that is lost may fail to say goodbye.
    close().catch(() => {})
    lost(error)
  }

  /** Also ends a session that is still being opened. */
  async function close() {
    const held = current
    current = undefined
    held?.ending.abort()
    await held?.opening.then(end, () => {})
  }
}
