import { connectToHub } from '../../src/doors/socket/connect.ts'
import { lastHub } from '../../src/doors/socket/last-hub.ts'

/** The hub process of a data folder. */
export function hubOf(data: string) {
  const hub = lastHub(data)
  if (!hub) throw new Error(`${data} never had a hub`)
  return { ...hub, ended }

  /** Resolves once nobody answers on its socket any more. */
  async function ended() {
    for (;;) {
      const socket = await connectToHub(data)
      if (!socket) return
      // Reset by a hub that was killed: closed all the same.
      for (const end of ['end', 'error']) socket.on(end, () => socket.destroy())
      await new Promise((resolve) => socket.on('close', resolve).resume())
    }
  }
}
