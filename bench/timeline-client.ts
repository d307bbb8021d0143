import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Entry } from '../src/protocol/entry.ts'
import type { TimelineFrame } from '../src/protocol/timeline.ts'
import { patiently } from './patience.ts'

type Frame<Type extends TimelineFrame['type']> = Extract<TimelineFrame, { type: Type }>

/** As our own page connects: hello, welcome, and then either a page or what was missed. */
export async function openTimeline(url: string) {
  const socket = new WebSocket(`${url}/ws?dialect=timeline`, { perMessageDeflate: false })
  await once(socket, 'open')
  return { socket, say, frame, entries, entryWhere, agentIs, close: () => socket.terminate() }

  function say(command: unknown) {
    socket.send(JSON.stringify(command))
  }

  /** The next frame of this type. To be called before the hub can have sent it. */
  function frame<Type extends TimelineFrame['type']>(type: Type): Promise<Frame<Type>> {
    return next(type, (frame) => (frame.type === type ? (frame as Frame<Type>) : undefined))
  }

  /** Until so many entries have come. */
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

  function next<Found>(name: string, find: (frame: TimelineFrame) => Found | undefined): Promise<Found> {
    const found = new Promise<Found>((resolve, reject) => {
      socket.on('message', hear)

      function hear(data: unknown) {
        const frame: TimelineFrame = JSON.parse(String(data))
        if (frame.type === 'refused') reject(new Error(frame.error))
        const found = find(frame)
        if (found === undefined) return
        socket.off('message', hear)
        resolve(found)
      }
    })
    return patiently(`a frame of ${name}`, found)
  }
}
