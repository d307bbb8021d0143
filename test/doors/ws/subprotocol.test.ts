import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openTestHub } from '../../support/hub.ts'
import { upgrade } from '../../support/upgrade.ts'

async function hubWithLog() {
  const told: string[] = []
  const out = { writableLength: 0, write: (text: string) => told.push(text) }
  const log = { level: 'debug', content: true, out } as const
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory', tokens: 'ada:human:s3cret', log })
  onTestFinished(hub.close)
  return { ...hub, told: () => told.join('') }
}

test.each([
  [['loop', 'parley-token.s3cret'], '/ws'],
  [['parley-token.s3cret', 'loop'], '/ws'],
  [['parley-token.s3cret', 'loop', 'router'], '/ws?session=work'],
])('[W35] %j lets a client in, which speaks the dialect and never hears its token', async (protocols, path) => {
  const { url, close, told } = await hubWithLog()
  const { status, ws, say, next } = await upgrade(url, path, {}, protocols)
  expect([status, ws.protocol]).toEqual([101, 'loop'])
  say({ type: 'dance' })
  await next('error')
  ws.close()
  await once(ws, 'close')
  await close()
  expect(told()).toContain('"event":"connection"')
  expect(told()).not.toContain('s3cret')
})

test('[W35] a wrong token, and one without a dialect, is refused before the upgrade', async () => {
  const { url, told } = await hubWithLog()
  const refusals: [protocols: string[], path: string, status: number, error: string][] = [
    [['loop', 'parley-token.s3cretx'], '/ws', 401, 'Unknown token; it may have been replaced'],
    [['loop', 'parley-token.'], '/ws', 401, 'This hub requires a token'],
    [['loop'], '/ws', 401, 'This hub requires a token'],
    [['parley-token.s3cretx'], '/ws', 401, 'Unknown token; it may have been replaced'],
    [
      ['parley-token.s3cret'],
      '/ws',
      400,
      'Offer a dialect along with the token; known: bridge, loop, router, timeline',
    ],
    [['parley-token.s3cret'], '/ws?dialect=loop', 400, 'Offer a dialect along with the token; known: bridge, loop, '],
    [['parley-token.s3cret', 'dance'], '/ws', 400, 'Unknown dialect "dance"; known: bridge, loop, '],
  ]
  for (const [protocols, path, status, error] of refusals)
    expect(await upgrade(url, path, {}, protocols)).toMatchObject({ status, error: expect.stringContaining(error) })
  expect(told()).not.toContain('s3cret')
})

test('[W35] a token in a header counts before one that is offered, which then is only passed over', async () => {
  const { url } = await hubWithLog()
  const protocols = ['parley-token.nonsense', 'router']
  const { status, ws } = await upgrade(url, '/ws', { authorization: 'Bearer s3cret' }, protocols)
  expect([status, ws.protocol]).toEqual([101, 'router'])
})
