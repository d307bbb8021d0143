import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { lastHubPid } from '../doors/socket/last-hub.ts'
import { ownerKeyOf } from '../doors/socket/owner-key.ts'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import type { DeliveredIds, Hello, PlaceTaken, Welcome } from '../protocol/frames/link.ts'
import { LINK_LIMITS } from '../protocol/frames/link-limits.ts'
import { openClient } from './client.ts'
import { createDeliveredIds } from './delivered-ids.ts'
import { createFinder } from './hub-finder.ts'
import type { HubOptions } from './hub-start.ts'
import { type Ending, type Link, openLink, type Patience } from './link.ts'
import { clientIn, isAnswer, isCancel, type Rpc, refusal } from './rpc.ts'
import { createUnanswered } from './unanswered.ts'

/** The time that a client has to read the last answers. */
const LAST_WORDS_MS = 1000
/** A client may speak for several runs of itself; of more, the last ones are there again before they call. */
const MOST_SESSIONS = 16

export interface LineParts {
  hello: Hello
  hub: HubOptions
  input: NodeJS.ReadableStream
  output: Writable
  patience: Patience
  /** One line for a person. */
  tell(sentence: string): void
  exit(code: number): void
}

/** Carries MCP between one client and the hub of a folder, whichever process that is. */
export function openLine({ hello, hub, input, output, patience, tell, exit }: LineParts) {
  const began = Date.now()
  const unanswered = createUnanswered(hello.line)
  const delivered = createDeliveredIds()
  const told = new Set<string>()
  /** What a hub gave it, and every other hub is told. */
  let own: string | undefined
  /** The client's own name, and the last conversations that its agents were in, each with its run. */
  let name: string | undefined
  const sessions = new Map<string, PlaceTaken>()
  let link: Link | undefined
  let spoke = () => {}
  /** Whether the client said something that no hub has heard. */
  let isWanted = false
  let nameSilence = true
  /** Whether no other hub will do, and whether nothing more is said. */
  let isOver = false
  let finished = false
  /** Whether this process was told to end. */
  let ending = false
  const client = openClient({ input, output, said, gone: () => finish(0), full: (isFull) => link?.setPaused(isFull) })
  const finder = createFinder({ hub, wanted, tell })
  stayLinked().catch((error) => {
    if (!(error instanceof ParleyError)) throw error
    fail(error)
  })
  return { end }

  async function stayLinked() {
    let ending = await carryOver(await finder.first())
    while (!isOver) ending = await carryOver(await finder.next(ending))
  }

  async function carryOver(socket: Socket): Promise<Ending> {
    const opened = openLink({
      socket,
      patience,
      welcome,
      mcp,
      refused: (reason) => fail(new ParleyError('refused_by_hub', { reason })),
      settled: (conversation) => {
        own = conversation
      },
      joined,
      silent,
      lastWords: client.whenWritten,
      full: client.setPaused,
    })
    link = opened
    opened.setPaused(client.isFull())
    isWanted = false
    opened.say([JSON.stringify({ hello: helloNow() }), ...unanswered.again()].join('\n'))
    const ending = await opened.ended
    link = undefined
    return ending
  }

  function helloNow(): Hello {
    const key = ownerKeyOf(hub.data)
    // A line that cannot show the key may tell only so much.
    const most = key === undefined ? LINK_LIMITS.deliveredIds - MOST_SESSIONS : undefined
    return { ...hello, key, client: name, began, own, seats: [...sessions.values()], slips: delivered.newest(most) }
  }

  function joined(place: PlaceTaken) {
    const [oldest] = sessions.keys()
    if (sessions.size === MOST_SESSIONS && oldest !== undefined && !sessions.has(place.conversation))
      sessions.delete(oldest)
    sessions.set(place.conversation, place)
  }

  function said(raw: string, message: Rpc) {
    if (finished || isLateCancel(message)) return
    if (unanswered.isInUse(message)) return client.write(refusal(message.id, 'id_in_use'))
    name = clientIn(message) ?? name
    const saying = unanswered.hear(raw, message)
    if (link?.takes()) link.say(unanswered.frame(saying))
    else {
      unanswered.keep(saying)
      isWanted = true
    }
    spoke()
  }

  function wanted(patienceMs?: number): Promise<void> {
    return new Promise((resolve) => {
      if (isWanted || unanswered.calls().some(isUrgent)) return resolve()
      spoke = resolve
      if (patienceMs !== undefined) setTimeout(resolve, patienceMs)
    })
  }

  function mcp(raw: string, message: Rpc, brought?: DeliveredIds[]) {
    if (finished) return
    if (!isAnswer(message)) return client.write(raw)
    const answered = unanswered.answered(message)
    if (!answered) return
    if ('key' in answered) {
      const { key, since } = answered
      const whence = link
      const written = delivered.writing(message.id, brought ?? [], since)
      client.write(raw, () => {
        const has = written()
        // Whether an answer that brings nothing has arrived matters to nobody.
        if (brought) link?.say(JSON.stringify({ got: key, slips: link === whence ? undefined : has }))
        if (ending && waitingCalls().length === 0) finish(0)
      })
    } else if (answered.instead !== undefined) client.write(answered.instead)
  }

  function isLateCancel(message: Rpc): boolean {
    return isCancel(message) && !delivered.crossed(message.params?.requestId)
  }

  function welcome({ url, other, port_taken, port_refused }: Welcome) {
    nameSilence = true
    // No link to sign in: the agent may read this, and must never become a person.
    tellOnce(url)
    if (other.length > 0) tellOnce(new ParleyError('other_settings', { flags: other.join(', ') }).message)
    if (port_taken !== undefined) tellOnce(new ParleyError('port_taken', { port: port_taken }).message)
    if (port_refused !== undefined) tellOnce(port_refused)
  }

  function tellOnce(sentence: string) {
    if (!told.has(sentence)) tell(sentence)
    told.add(sentence)
  }

  function silent(pid: number | '?' = lastHubPid(hub.data)) {
    if (nameSilence) tell(new ParleyError('hub_silent', { pid, advice: 'going on as soon as it does or ends' }).message)
    nameSilence = false
  }

  /** No hub can be had: whoever waits is told why. */
  function fail(error: ParleyError) {
    if (isOver) return
    isOver = true
    tell(error.message)
    const answerAll = () => {
      for (const { id } of unanswered.calls()) client.write(refusal(id, error.code, error.message))
      finish(1)
    }
    // Most clients show what they are answered, and nothing else.
    if (unanswered.calls().length > 0) answerAll()
    else wanted(LAST_WORDS_MS).then(answerAll)
  }

  /** This process is told to end: calls that wait are answered first. */
  function end() {
    if (finished || ending) return
    ending = true
    if (!link?.takes() || waitingCalls().length === 0) return answerAndFinish()
    // The hub knows what can be waited for again.
    link.say('{"ending":true}')
    setTimeout(answerAndFinish, LAST_WORDS_MS)
  }

  function answerAndFinish() {
    for (const { id } of waitingCalls()) client.write(refusal(id, 'shutting_down', ERRORS.shutting_down.text))
    finish(0)
  }

  function waitingCalls(): Rpc[] {
    return unanswered.calls().filter(({ method }) => method === 'tools/call')
  }

  function finish(code: number) {
    if (finished) return
    finished = true
    isOver = true
    setTimeout(() => exit(code), LAST_WORDS_MS)
    client.whenWritten(() => {
      if (link) link.bye(() => exit(code))
      else exit(code)
    })
  }
}

/** A request that waits for an answer needs a hub; one that only listens for news can do without. */
function isUrgent({ method }: Rpc): boolean {
  return method !== 'subscriptions/listen'
}
