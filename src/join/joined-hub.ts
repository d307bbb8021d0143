import { WebSocket } from 'ws'
import type { Reception } from '../chat/reception.ts'
import type { SettledEntry } from '../protocol/entry.ts'
import { type ErrorCode, ParleyError } from '../protocol/errors.ts'
import { JOIN_PATH, type JoinAnswer, type JoinRequest } from '../protocol/join.ts'
import type { HubCard } from './hub-card.ts'

/** The hub went away while it was asked something; the next one is asked again. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost'
}

export type JoinedHub = Awaited<ReturnType<typeof joinHub>>

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void }
type WithoutId<Request> = Request extends { id: number } ? Omit<Request, 'id'> : never

const GIVE_UP_MS = 1000

/** A seat in the hub of another process. Rejects when there is no hub behind the card. */
export async function joinHub({ host, port, secret }: HubCard) {
  const ws = new WebSocket(`ws://${host.includes(':') ? `[${host}]` : host}:${port}${JOIN_PATH}`, {
    headers: { authorization: `Bearer ${secret}` },
    perMessageDeflate: false,
    // It is our own hub: 1,000 messages that nobody has read may be long.
    maxPayload: 0,
    handshakeTimeout: GIVE_UP_MS,
  })
  const waiting = new Map<number, Waiting>()
  const lost = new Promise<void>((resolve) => ws.on('close', resolve))
  let last = 0
  await new Promise<void>((resolve, reject) => {
    ws.on('open', resolve)
    ws.on('error', (error) => reject(new LinkLost(error.message)))
  })
  ws.on('message', (data) => hear(JSON.parse(String(data))))
  void lost.then(() => {
    for (const { reject } of waiting.values()) reject(new LinkLost())
  })
  return { reception: receptionOver(), lost, close: () => ws.close() }

  function receptionOver(): Reception {
    return {
      ask: (_, questions, more) => request({ op: 'ask', questions, ...more }),
      outcome,
      stillOpen: (questions) => request({ op: 'still_open', questions }),
      withdraw: (questions) => request({ op: 'withdraw', questions }),
      unread: (_, given, wanted) => request({ op: 'unread', given, wanted }),
      tell: (_, body, more) => request({ op: 'tell', body, ...more }),
      note: (_, receipt) => request({ op: 'note', receipt }),
      enter(conversation) {
        say({ op: 'enter', conversation })
        return {
          asks: () => say({ op: 'asks' }),
          gotAnswer: () => say({ op: 'got_answer' }),
          leave: () => ws.close(),
        }
      },
    }
  }

  async function outcome(question: string, signal: AbortSignal): Promise<SettledEntry> {
    signal.throwIfAborted()
    const id = ++last
    const cancel = () => {
      say({ op: 'cancel', id })
      waiting.get(id)?.reject(signal.reason)
    }
    signal.addEventListener('abort', cancel)
    try {
      return await answerTo<SettledEntry>({ op: 'outcome', id, question })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  function request<Result>(body: WithoutId<JoinRequest>): Promise<Result> {
    return answerTo({ ...body, id: ++last } as JoinRequest & { id: number })
  }

  function answerTo<Result>(body: JoinRequest & { id: number }): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      if (ws.readyState !== ws.OPEN) return reject(new LinkLost())
      waiting.set(body.id, { resolve, reject })
      say(body)
    }).finally(() => waiting.delete(body.id)) as Promise<Result>
  }

  function hear({ id, result, error }: JoinAnswer) {
    if (!error) return waiting.get(id)?.resolve(result)
    // A hub that closes is as good as gone: whoever is next has the same log.
    const gone = error.code === 'shutting_down'
    waiting.get(id)?.reject(gone ? new LinkLost() : new ParleyError(error.code as ErrorCode, error.details))
  }

  function say(body: JoinRequest) {
    if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(body))
  }
}
