import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Present } from '../chat/presence.ts'
import type { Reception } from '../chat/reception.ts'
import type { Deed, Title } from '../protocol/entry.ts'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import { type JoinAnswer, JoinRequest } from '../protocol/join.ts'
import { parse, parseJson } from '../protocol/parse.ts'
import { unreachable } from '../protocol/unreachable.ts'
import { showsSecret } from './secret.ts'

export interface JoinDoorParts {
  reception: Reception
  /** What is on the hub's card. */
  secret: string
  report(error: unknown): void
}

type Answered = Extract<JoinRequest, { id: number }>

const GOODBYE_MS = 500
// More than an agent can say in one line: what is too long for the hub is refused with a sentence, not with the link.
const FRAME_LIMIT_BYTES = 16 * 1024 * 1024

/** Where agent processes of the same data folder take their seats in this hub. */
export function openJoinDoor({ reception, secret, report }: JoinDoorParts) {
  const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_LIMIT_BYTES, perMessageDeflate: false })
  return { upgrade, close }

  /** Throws before anything is upgraded. */
  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
    if (!showsSecret(request.headers.authorization, secret)) throw new ParleyError('token_unknown')
    server.handleUpgrade(request, stream, head, connect)
  }

  function connect(ws: WebSocket) {
    const waits = new Map<number, AbortController>()
    let conversation = ''
    let present: Present | undefined
    let asking = 0
    // ws closes the connection itself on what it cannot read.
    ws.on('error', () => {})
    ws.on('close', leave)
    ws.on('message', (data) => {
      let id: unknown
      try {
        const request = parseJson(String(data))
        id = (request as { id?: unknown } | null)?.id
        hear(parse(JoinRequest, request))
      } catch (error) {
        // Who waits for an answer must get one: without the link it would only ask the same again.
        if (typeof id === 'number') refuse(id, error)
        else ws.close(1008, 'This is no request of a seat')
      }
    })

    function hear(request: JoinRequest) {
      switch (request.op) {
        case 'enter':
          conversation = request.conversation
          present = reception.enter(conversation)
          return
        case 'asks':
          asking++
          return present?.asks()
        case 'got_answer':
          asking--
          return present?.gotAnswer()
        case 'cancel':
          return waits.get(request.id)?.abort()
        default:
          void answer(request)
      }
    }

    async function answer(request: Exclude<Answered, { op: 'cancel' }>) {
      const { id } = request
      try {
        say({ id, result: await perform(request) })
      } catch (error) {
        refuse(id, error)
      }
    }

    function refuse(id: number, error: unknown) {
      if (!(error instanceof ParleyError)) report(error)
      const { code, details } = error instanceof ParleyError ? error : new ParleyError('internal')
      say({ id, error: { code, details } })
    }

    async function perform(request: Exclude<Answered, { op: 'cancel' }>): Promise<unknown> {
      switch (request.op) {
        case 'ask':
          return reception.ask(conversation, request.questions, request)
        case 'outcome':
          return outcome(request.id, request.question)
        case 'still_open':
          return reception.stillOpen(request.questions)
        case 'withdraw':
          return reception.withdraw(request.questions)
        case 'unread':
          return reception.unread(conversation, request.given, request.wanted)
        case 'tell':
          return reception.tell(conversation, request.body as Deed | Title, request)
        case 'note':
          return reception.note(conversation, request.receipt)
        default:
          return unreachable(request)
      }
    }

    async function outcome(id: number, question: string) {
      const wait = new AbortController()
      waits.set(id, wait)
      try {
        return await reception.outcome(question, wait.signal)
      } catch (error) {
        if (wait.signal.aborted) throw new ParleyError('cancelled')
        throw error
      } finally {
        waits.delete(id)
      }
    }

    function say(answer: JoinAnswer) {
      if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(answer))
    }

    function leave() {
      for (const wait of waits.values()) wait.abort()
      for (; asking > 0; asking--) present?.gotAnswer()
      present?.leave()
    }
  }

  async function close() {
    const closed = [...server.clients].map((ws) => new Promise((resolve) => ws.on('close', resolve)))
    const { text, close } = ERRORS.shutting_down
    for (const ws of server.clients) ws.close(close, text)
    await Promise.race([Promise.all(closed), new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())])
    for (const ws of server.clients) ws.terminate()
  }
}
