import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { connectToHub } from '../../../src/doors/socket/connect.ts'
import { readLines } from '../../../src/io/lines.ts'
import { type Hello, Hello as HelloFrame } from '../../../src/protocol/frames/link.ts'
import { LINK_FORMAT } from '../../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../../src/protocol/version.ts'
import { eventually } from '../eventually.ts'

export function helloOf(more: Partial<Hello> = {}): { hello: Hello } {
  const about = { format: LINK_FORMAT, version: VERSION, line: randomUUID(), title: 'work', folder: '/', wants: {} }
  return { hello: HelloFrame.parse({ ...about, surface: 'agent', conversation: 'work', ...more }) }
}

/** What a program says and hears that opens the socket of the folder itself. */
export async function link(data: string, ...frames: object[]) {
  const socket = (await connectToHub(data)) as Socket
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => socket.destroy())
  /** The hub says nothing more. */
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()))
  const heard: Record<string, unknown>[] = []
  readLines(socket, { limitLength: 2 ** 20, line: (text) => heard.push(JSON.parse(text)), tooLong: expect.unreachable })
  const say = (frame: object) => socket.write(`${JSON.stringify(frame)}\n`)
  for (const frame of frames) say(frame)
  const until = (fits: (frame: Record<string, unknown>) => unknown) =>
    eventually(() => {
      const found = heard.find(fits)
      if (!found) throw new Error(`Heard only ${JSON.stringify(heard)}`)
      return found
    })
  return { socket, ended, heard, say, until }
}
