import { attempt } from '../io/attempt.ts'
import { transactionsOf } from '../io/transaction.ts'
import { openStateFile } from './state-file.ts'
import type { UiState } from './turns/ui-state.ts'
import { createUnwritten, unwritable } from './unwritten.ts'
import type { UserText } from './user-text.ts'

/**
 * `received`: the hub knows that it is ours; `given`: it is about to be written to the agent, or was. What is given is
 * given again only where the agent's own session shows that it never came.
 */
type TextState = 'waiting' | 'received' | 'given' | 'done'

export type Store = ReturnType<typeof openStore>

/**
 * What an orchestrator must not forget, in one file that only one process has open. What is written while the disk is
 * full is kept and read from memory, or waited for; `changed` is called when that begins and when it is over.
 */
export function openStore(path: string, changed = () => {}) {
  const db = openStateFile(path)
  const unwritten = createUnwritten({ isInTransaction: () => db.isTransaction, together, changed })
  const inTransaction = transactionsOf(db)
  const getWatermark = db.prepare('SELECT last_id FROM resource_watermarks WHERE uri = ?')
  const putWatermark = db.prepare(
    'INSERT INTO resource_watermarks VALUES (?, ?) ON CONFLICT (uri) DO UPDATE SET last_id = excluded.last_id',
  )
  const addText = db.prepare("INSERT INTO user_texts VALUES (?, ?, 'waiting', ?) ON CONFLICT (id) DO NOTHING")
  const putDone = db.prepare(
    "INSERT INTO user_texts VALUES (?, ?, 'done', '{}') ON CONFLICT (id) DO UPDATE SET state = 'done', body = '{}'",
  )
  const toGive = db.prepare(
    "SELECT id, state, body FROM user_texts WHERE conversation = ? AND state IN ('waiting', 'received') ORDER BY id",
  )
  const withTexts = db.prepare("SELECT DISTINCT conversation FROM user_texts WHERE state IN ('waiting', 'received')")
  const setState = db.prepare("UPDATE user_texts SET state = ?, body = iif(?1 = 'done', '{}', body) WHERE id = ?")
  const getToGive = db.prepare("SELECT body FROM user_texts WHERE id = ? AND state IN ('waiting', 'received')")
  const setBody = db.prepare('UPDATE user_texts SET body = ? WHERE id = ?')
  const getUi = db.prepare('SELECT state FROM ui_state WHERE conversation = ?')
  const putUi = db.prepare(
    'INSERT INTO ui_state VALUES (?, ?) ON CONFLICT (conversation) DO UPDATE SET state = excluded.state',
  )
  const dropUi = db.prepare('DELETE FROM ui_state WHERE conversation = ?')
  const withUi = db.prepare('SELECT conversation FROM ui_state')
  const getSession = db.prepare('SELECT agent_session FROM sessions WHERE conversation = ?')
  const putSession = db.prepare(
    `INSERT INTO sessions VALUES (?, ?, ?) ON CONFLICT (conversation)
     DO UPDATE SET agent_session = excluded.agent_session, used_at = excluded.used_at`,
  )
  const dropSession = db.prepare('DELETE FROM sessions WHERE conversation = ?')
  const getPrompts = db.prepare('SELECT agent_session, count FROM prompts WHERE conversation = ?')
  const putPrompts = db.prepare('INSERT OR REPLACE INTO prompts VALUES (?, ?, ?)')
  const dropPrompts = db.prepare('DELETE FROM prompts WHERE conversation = ?')
  const getResumed = db.prepare('SELECT agent_session FROM resumed WHERE conversation = ?')
  const putResumed = db.prepare('INSERT OR IGNORE INTO resumed VALUES (?, ?)')
  const dropResumed = db.prepare('DELETE FROM resumed WHERE conversation = ?')
  const withResumed = db.prepare('SELECT conversation FROM resumed')
  const getTaken = db.prepare(
    `SELECT 1 FROM resumed AS own WHERE own.conversation = ?1 AND (
       EXISTS (SELECT 1 FROM sessions WHERE agent_session = own.agent_session AND conversation <> ?1)
       OR EXISTS (SELECT 1 FROM resumed AS other WHERE other.agent_session = own.agent_session AND other.rowid < own.rowid)
     )`,
  )
  const getLater = db.prepare('SELECT 1 FROM user_texts WHERE conversation = ? AND id > ? LIMIT 1')
  const everywhere = db.prepare(
    'SELECT conversation FROM sessions UNION SELECT conversation FROM ui_state UNION SELECT conversation FROM user_texts UNION SELECT conversation FROM resumed',
  )
  const newestSessions = db.prepare('SELECT conversation FROM sessions ORDER BY used_at DESC LIMIT ?')
  /** Conversations that were forgotten: what still ends there is not kept, until somebody speaks there again. */
  const gone = new Set<string>()
  return {
    /** The same whenever this file is opened, and nobody else's. */
    holder: String(db.prepare('SELECT holder FROM own').get()?.holder),
    watermark: (uri: string) => text(getWatermark.get(uri)?.last_id),
    take,
    pass: (uri: string, last_id: string) => void putWatermark.run(uri, last_id),
    toGive: (conversation: string) =>
      toGive
        .all(conversation)
        .map(textIn)
        .filter(({ id }) => !unwritten.isKept(doneKey(id))),
    reword,
    /** Its agent has it as the answer to a question, also where it comes as a text later. */
    answered: (conversation: string, id: string) =>
      unwritten.soon(doneKey(id), true, () => void putDone.run(id, conversation)),
    /** All of it or nothing. */
    together,
    patiently: unwritten.patiently,
    /** Why nothing can be written for now. */
    problem: unwritten.problem,
    give,
    setText: (id: string, state: TextState) => void setState.run(state, id),
    uiState,
    saveUi,
    dropUi: (conversation: string) =>
      unwritten.soon(uiKey(conversation), undefined, () => void dropUi.run(conversation)),
    agentSession,
    saveSession,
    promptsIn,
    savePrompts,
    dropSession: (conversation: string) =>
      unwritten.soon(sessionKey(conversation), undefined, () => void dropSession.run(conversation)),
    /** The session that it goes on with, until people were told what was said there. */
    resumed: (conversation: string) => text(getResumed.get(conversation)?.agent_session),
    /** Another conversation has that session, or had it first. */
    isTaken: (conversation: string) => getTaken.get(conversation) !== undefined,
    saveResumed: (conversation: string, agent: string) => void putResumed.run(conversation, agent),
    dropResumed: (conversation: string) => void dropResumed.run(conversation),
    /** Something was said there after that. */
    hasLater: (conversation: string, id: string) => getLater.get(conversation, id) !== undefined,
    newestSessions: (most: number) => newestSessions.all(most).map(nameIn),
    /** All of which anything is known. */
    conversations: () => everywhere.all().map(nameIn),
    forget,
    /** Conversations in which something is left to do. */
    unfinished: () => [...new Set([withTexts, withUi, withResumed].flatMap((rows) => rows.all().map(nameIn)))],
    close,
  }

  function uiState(conversation: string): UiState | undefined {
    const about = uiKey(conversation)
    return jsonIn<UiState>(unwritten.isKept(about) ? unwritten.keptOf(about) : getUi.get(conversation)?.state)
  }

  function saveUi(conversation: string, state: UiState) {
    if (gone.has(conversation)) return
    const json = JSON.stringify(state)
    unwritten.soon(uiKey(conversation), json, () => void putUi.run(conversation, json))
  }

  /** `undefined`: never driven; `null`: driven by an agent that cannot go on with a session. */
  function agentSession(conversation: string): string | null | undefined {
    const about = sessionKey(conversation)
    if (unwritten.isKept(about)) return unwritten.keptOf(about) as string | null | undefined
    const row = getSession.get(conversation)
    return row && (text(row.agent_session) ?? null)
  }

  function saveSession(conversation: string, agent: string | null = null, at = Date.now()) {
    if (gone.has(conversation)) return
    unwritten.soon(sessionKey(conversation), agent, () => void putSession.run(conversation, agent, at))
  }

  /** How many prompts the agent's session has; `undefined` where that is not known. */
  function promptsIn(conversation: string): number | undefined {
    const about = promptsKey(conversation)
    const known = unwritten.isKept(about) ? unwritten.keptOf(about) : getPrompts.get(conversation)
    const { agent_session, count } = (known ?? {}) as { agent_session?: string; count?: number }
    return agent_session === agentSession(conversation) ? count : undefined
  }

  function savePrompts(conversation: string, count: number | undefined) {
    const agent_session = agentSession(conversation)
    if (gone.has(conversation) || (count === undefined && promptsIn(conversation) === undefined)) return
    const value = count === undefined || !agent_session ? undefined : { agent_session, count }
    unwritten.soon(promptsKey(conversation), value, () => {
      if (value) putPrompts.run(conversation, value.agent_session, value.count)
      else dropPrompts.run(conversation)
    })
  }

  /** Each text becomes one event, once, and the watermark moves with them, where they are what follows it. */
  function take(uri: string, texts: UserText[], last_id?: string) {
    together(() => {
      for (const { id, conversation, ...body } of texts) {
        gone.delete(conversation)
        addText.run(id, conversation, JSON.stringify(body))
      }
      if (last_id !== undefined) putWatermark.run(uri, last_id)
    })
  }

  /** Other words for a text that the agent was not given. */
  function reword(id: string, words: Pick<UserText, 'text' | 'changes'>) {
    const body = jsonIn<Partial<UserText>>(getToGive.get(id)?.body)
    if (!body) return
    // The agent has the images of what is changed.
    const { images, ...rest } = body
    setBody.run(JSON.stringify({ ...rest, ...(images && !words.changes && { images }), ...words }), id)
  }

  /**
   * The agent may have these from here on. Only this has to be on the disk before anything else happens: whatever came
   * before can be read again from the hub.
   */
  function give(conversation: string, ids: string[], state: UiState) {
    db.exec('PRAGMA synchronous = FULL')
    try {
      together(() => {
        for (const id of ids) setState.run('given', id)
        saveUi(conversation, state)
      })
    } finally {
      db.exec('PRAGMA synchronous = NORMAL')
    }
  }

  /** Nothing of it stays in the file, nor beside it. */
  function forget(conversation: string) {
    gone.add(conversation)
    for (const keyOf of [uiKey, sessionKey, promptsKey]) unwritten.drop(keyOf(conversation))
    together(() => {
      for (const table of ['user_texts', 'sessions', 'ui_state', 'prompts', 'resumed'])
        db.prepare(`DELETE FROM ${table} WHERE conversation = ?`).run(conversation)
    })
    db.exec('VACUUM')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  function together(work: () => void) {
    attempt(
      () => inTransaction(work),
      (error) => {
        throw unwritable(error) ?? error
      },
    )
  }

  function close() {
    unwritten.close()
    db.close()
  }

  function textIn(row: Record<string, unknown>): Omit<UserText, 'conversation'> & { state: TextState } {
    return { ...JSON.parse(String(row.body)), id: String(row.id), state: row.state as TextState }
  }
}

function uiKey(conversation: string): string {
  return `ui ${conversation}`
}

function sessionKey(conversation: string): string {
  return `session ${conversation}`
}

function promptsKey(conversation: string): string {
  return `prompts ${conversation}`
}

function doneKey(id: string): string {
  return `done ${id}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function nameIn(row: Record<string, unknown>): string {
  return String(row.conversation)
}

function jsonIn<Value>(json: unknown): Value | undefined {
  return json === undefined ? undefined : (JSON.parse(String(json)) as Value)
}
