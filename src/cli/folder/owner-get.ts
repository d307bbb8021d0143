import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { connectToHub } from '../../doors/socket/connect.ts'
import { ownerKeyOf } from '../../doors/socket/owner-key.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { OWNER_HEADER } from '../../protocol/frames/link-format.ts'

export type Chunks = AsyncIterable<string | Uint8Array>

const PATIENCE_MS = 5000

/** What the hub of a folder gives its owner at this path; nothing when no hub of this folder answers. */
export async function ownerGet(data: string, path: string): Promise<Chunks | undefined> {
  const socket = await connectToHub(data)
  const response = socket && (await answerOn(socket, path, ownerKeyOf(data) ?? ''))
  if (!response) return undefined
  if (response.statusCode === 200) return untilItsEnd(response)
  const { error } = (await json(response)) as { error: string }
  throw new ParleyError('refused_by_hub', { reason: error })
}

function answerOn(socket: Socket, path: string, key: string): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const request = get({
      createConnection: () => socket,
      path,
      headers: { [OWNER_HEADER]: key },
      timeout: PATIENCE_MS,
    })
    request.once('response', resolve)
    request.once('timeout', () => request.destroy())
    // The hub went without a word: the folder tells more.
    request.on('error', () => resolve(undefined))
  })
}

async function* untilItsEnd(response: IncomingMessage): Chunks {
  try {
    yield* response
  } catch (error) {
    throw new ParleyError('export_cut', {}, error)
  }
}
