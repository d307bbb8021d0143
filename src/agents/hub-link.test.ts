import type { Transport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { lineTo } from '../../test/support/driven/driven.ts'
import { startHubWithSocket, temporaryFolder } from '../../test/support/hub.ts'
import { openHubLink } from './hub-link.ts'

test('[C177] an answer that is none is told, and not asked for again', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  let asked = 0
  const link = await openHubLink({
    connect: () => misunderstood(lineTo(data)),
    name: 'test',
    uris: [],
    isRunner: false,
    updated() {},
    requested() {},
    reconnected() {},
  })
  onTestFinished(link.close)
  await expect(link.call('chat_list', {})).rejects.toMatchObject({ code: 'INVALID_RESULT' })
  expect(asked).toBe(1)

  /** Answers every tool call with something that is no result. */
  function misunderstood(transport: Transport): Transport {
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      if (!('method' in message && message.method === 'tools/call' && 'id' in message)) return send(message, options)
      asked++
      transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result: { content: 'no list', resultType: 'complete' } })
    }
    return transport
  }
})

test('[C181] a link whose first connection is lost as it begins is not opened', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  const opening = openHubLink({
    connect: () => lostAtOnce(lineTo(data)),
    name: 'test',
    uris: ['ui://chat/inbox'],
    isRunner: false,
    updated() {},
    requested() {},
    reconnected: expect.unreachable,
  })
  await expect(opening).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })

  /** Ends with the word that it is listened to. */
  function lostAtOnce(transport: Transport): Transport {
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      if ('method' in message && message.method === 'subscriptions/listen') {
        const hear = transport.onmessage
        transport.onmessage = (answer, extra) => {
          hear?.(answer, extra)
          transport.onclose?.()
        }
      }
      return send(message, options)
    }
    return transport
  }
})
