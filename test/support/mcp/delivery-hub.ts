import { createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openLineConnection } from '../../../src/doors/mcp/lines/line-connection.ts'
import type { Hear } from '../../../src/doors/mcp/lines/line-guest.ts'
import { buildServer } from '../../../src/doors/mcp/surface.ts'
import { readLines } from '../../../src/io/lines.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { temporaryFolder } from '../hub.ts'
import { createRecord, deliverySurface } from './deliveries.ts'

/** The hub's side of a line, with a surface whose calls take deliveries along: the folder that leads to it. */
export async function startDeliveryHub() {
  const data = await temporaryFolder()
  const record = createRecord()
  const { surface } = deliverySurface(record.tell)
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    // First it says hello, and nobody here wants to know.
    let hear: Hear = () => {
      const connection = openLineConnection(socket, {
        build: (_, calls) => buildServer(surface, localPrincipal('agent'), calls),
        listening: async () => undefined,
        dismiss() {},
        guest: { tells() {}, asks: () => undefined, reads() {} },
        remember() {},
        answered() {},
        closed: () => connection.end(),
        report() {},
      })
      hear = connection.hear
    }
    readLines(socket, { limitLength: 2 ** 24, line: (text) => hear(JSON.parse(text), text.length), tooLong() {} })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(join(data, 'hub.sock'), resolve))
  return { data, record }
}
