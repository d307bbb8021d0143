import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { lineTransport } from '../../src/cli/run/line-transport.ts'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import type { SurfaceName } from '../../src/protocol/frames/surface-name.ts'

/** All that the socket of a folder answers to this. */
export async function saidOver(data: string, said: string): Promise<string> {
  const socket = await connectToHub(data)
  if (!socket) throw new Error('Nobody listens there')
  onTestFinished(() => void socket.destroy())
  socket.write(said)
  return text(socket)
}

/** What the socket of a folder answers to an HTTP request. */
export function askedOver(data: string, path: string, headers: string[] = []): Promise<string> {
  return saidOver(
    data,
    [`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n'),
  )
}

/** A client of a line to the hub of a folder, as `parley stdio` is one. */
export async function clientOfLine(data: string, surface: SurfaceName, env: Record<string, string> = {}) {
  const told: string[] = []
  const client = new Client({ name: 'codex', version: '1' })
  const args = ['stdio', '--surface', surface, '--data', data]
  const tell = (sentence: string) => void told.push(sentence)
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  await client.connect(lineTransport({ args, env, cwd: data, line: randomUUID(), tell }))
  onTestFinished(() => client.close())
  return { client, told, closed }
}
