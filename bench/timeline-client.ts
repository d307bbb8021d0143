import { once } from 'node:events'
import { WebSocket } from 'ws'
import { patiently } from './patience.ts'

export type Timeline = Awaited<ReturnType<typeof openTimeline>>

/** The part of an entry that measures look at. */
interface Entry {
  id: string
  body: { kind: string; text?: string }
}

interface Frames {
  welcome: { cursor: string; resumed: boolean }
  page: { entries: Entry[] }
  entries: { entries: Entry[] }
  accepted: { key: string; id: string }
  found: { indexing?: boolean }
  agent: { state: string }
}
type Type = keyof Frames
type Frame = { [Name in Type]: { type: Name } & Frames[Name] }[Type]
type Refused = { type: 'refused'; key?: string; error: string }

const LARGEST_FRAME = 1024 ** 3
// The number is more than any measure has on the way at the same time.
const REMEMBERED = 256
const LONGEST_SHOWN = 200

/** Connects as our own page does: hello, welcome, and then either a page or what was missed. */
export async function openTimeline(url: string) {
  const socket = new WebSocket(`${url}/ws?dialect=timeline`, { perMessageDeflate: false, maxPayload: LARGEST_FRAME })
  const said: string[] = []
  await once(socket, 'open')
  return { socket, say, greet, ask, frame, entries, entryWhere, agentIs, sendMany, close: () => socket.terminate() }

  function say(command: object) {
    const text = JSON.stringify(command)
    if (said.push(text) > REMEMBERED) said.shift()
    socket.send(text)
  }

  function greet(more: { conversation?: string; cursor?: string } = {}) {
    return ask('welcome', { type: 'hello', ...more })
  }

  /** The frame of this type that answers the command. */
  function ask<Name extends Type>(type: Name, command: object): Promise<Frames[Name]> {
    const answer = frame(type)
    say(command)
    return answer
  }

  /** The next frame of this type. To be called before the hub can have sent it. */
  function frame<Name extends Type>(type: Name): Promise<Frames[Name]> {
    return next(type, (frame) => (frame.type === type ? (frame as unknown as Frames[Name]) : undefined))
  }

  /** Resolves when so many entries have come. */
  function entries(count: number): Promise<Entry[]> {
    const found: Entry[] = []
    return next('entries', (frame) => {
      if (frame.type === 'entries') found.push(...frame.entries)
      return found.length >= count ? found : undefined
    })
  }

  function entryWhere(isIt: (entry: Entry) => boolean): Promise<Entry> {
    return next('entries', (frame) => (frame.type === 'entries' ? frame.entries.find(isIt) : undefined))
  }

  /** Whoever's agent it is: a measure has one. */
  function agentIs(state: string): Promise<true> {
    return next('agent', (frame) => (frame.type === 'agent' && frame.state === state ? true : undefined))
  }

  /**
   * Commands, always so many on the way until all are answered. Looks only at the start of a frame, to take little of
   * the machine.
   */
  function sendMany(count: number, answer: Type, most: number, command: (n: number) => object): Promise<void> {
    let sent = 0
    let answered = 0
    const all = listen<void>((data, done) => {
      if (!data.subarray(0, 30).toString('latin1').startsWith(`{"type":"${answer}"`)) return
      if (sent < count) say(command(sent++))
      if (++answered === count) done()
    })
    while (sent < Math.min(most, count)) say(command(sent++))
    return patiently(`${count} frames of ${answer}`, all, () => answered)
  }

  function next<Found>(name: string, find: (frame: Frame) => Found | undefined): Promise<Found> {
    const found = listen<Found>((data, done) => {
      const found = find(JSON.parse(String(data)))
      if (found !== undefined) done(found)
    })
    return patiently(`a frame of ${name}`, found)
  }

  /** Listens until it is done, or the hub refuses anything or hangs up. */
  function listen<Found>(look: (data: Buffer, done: (found: Found) => void) => void): Promise<Found> {
    return new Promise((resolve, reject) => {
      socket.on('message', hear)
      socket.on('close', hungUp)

      function hear(data: Buffer) {
        if (data.subarray(0, 17).toString('latin1') === '{"type":"refused"') fail(refusal(String(data)))
        else look(data, done)
      }

      function done(found: Found) {
        quit()
        resolve(found)
      }

      function hungUp(code: number, reason: Buffer) {
        fail(new Error(`The connection was closed with ${code} ${reason}`.trim()))
      }

      function fail(error: Error) {
        quit()
        reject(error)
      }

      function quit() {
        socket.off('message', hear)
        socket.off('close', hungUp)
      }
    })
  }

  /** Only `hello` has no key. */
  function refusal(text: string): Error {
    const { key, error } = JSON.parse(text) as Refused
    const meant = said.findLast((command) => JSON.parse(command).key === key) ?? `the key ${key}`
    return new Error(`The hub refused ${meant.slice(0, LONGEST_SHOWN)}: ${error}`)
  }
}
