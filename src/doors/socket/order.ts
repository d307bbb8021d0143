import type { Socket } from 'node:net'
import { readLines } from '../../io/lines.ts'
import type { FromHub, Order } from '../../protocol/frames/link.ts'
import { connectToHub } from './connect.ts'
import { hubSilent } from './last-hub.ts'
import { ownerKeyOf } from './owner-key.ts'

const SILENCE_MS = 5000
/** A hub that was told to end gives everybody some seconds to read what was said to them last. */
const STOPPING_MS = 15_000
/** Erasing a very long conversation from a slow disk takes a while. */
const ERASING_MS = 10 * 60_000
const LONGEST_ANSWER = 8 * 1024 * 1024

/**
 * What the hub of a folder answers its owner; nothing when none runs. Who tells it to do something hears when it is
 * done.
 */
export async function giveOrder(
  data: string,
  order: 'status' | 'stop' | Order,
  waitMs = SILENCE_MS,
): Promise<FromHub | undefined> {
  const socket = await connectToHub(data)
  return socket && answerOf(socket, { data, order: typeof order === 'string' ? { order } : order, waitMs })
}

function answerOf(
  socket: Socket,
  { data, order, waitMs }: { data: string; order: Order; waitMs: number },
): Promise<FromHub | undefined> {
  return new Promise((resolve, reject) => {
    let answer: FromHub | undefined
    let silence = setTimeout(isSilent, waitMs)
    readLines(socket, {
      limitLength: LONGEST_ANSWER,
      tooLong: () => socket.destroy(),
      line(text) {
        const said = JSON.parse(text) as FromHub
        if ('beat' in said) return
        answer = said
        clearTimeout(silence)
        if ('stopping' in said) silence = setTimeout(isSilent, STOPPING_MS)
        else if ('forgetting' in said) silence = setTimeout(isSilent, ERASING_MS)
        else socket.destroy()
      },
    })
    // A hub that ends resets the connection, which is closed all the same.
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(silence)
      resolve(answer)
    })
    socket.write(`${JSON.stringify({ ...order, key: ownerKeyOf(data) })}\n`)

    function isSilent() {
      reject(hubSilent(data))
      socket.destroy()
    }
  })
}
