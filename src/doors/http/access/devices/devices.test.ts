import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startHub, temporaryFolder } from '../../../../../test/support/hub.ts'
import type { Device } from '../../../../protocol/devices.ts'

const DAY_MS = 24 * 60 * 60_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function protectedHub() {
  const hub = await startHub(await temporaryFolder())
  await hub.tokens.protect()
  return { ...hub, signIn }

  async function signIn(name = 'local') {
    const link = `${hub.url}/sign-in/${await hub.tokens.link(name)}`
    const pressed = await fetch(link, { method: 'POST', headers: { 'user-agent': FIREFOX } })
    const [, key = ''] = /data-key="(parley_[\w-]{43})"/.exec(await pressed.text()) ?? []
    const headers = { cookie: pressed.headers.get('set-cookie')?.split(';')[0] ?? '', 'x-parley-key': key }
    return { headers, ask }

    async function ask(path = '', body?: object) {
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${hub.url}/api/devices${path}`, { ...init, headers })
      const { devices = [], error } = (await response.json()) as { devices?: Device[]; error?: string }
      return { status: response.status, devices, error }
    }
  }
}

test('[S230] who is signed in sees all devices of the same person, with their names and ends, and nobody else’s', async () => {
  const { tokens, signIn } = await protectedHub()
  await tokens.create({ name: 'ada' })
  const [first, second, adas] = [await signIn(), await signIn(), await signIn('ada')]
  const { devices } = await second.ask()
  expect(devices.map(({ name, is_this }) => [name, is_this])).toEqual([
    ['Firefox on Linux', true],
    ['Firefox on Linux', false],
  ])
  for (const { signed_in_at, expires_at } of devices)
    expect(Math.round((Date.parse(expires_at) - Date.parse(signed_in_at)) / DAY_MS)).toBe(30)
  expect((await adas.ask()).devices).toHaveLength(1)
  expect((await first.ask()).devices.find(({ is_this }) => is_this)?.id).toBe(devices[1]?.id)
})

test('[S230] the name of this device is what everybody sees of it, and one that is none is refused', async () => {
  const { signIn } = await protectedHub()
  const [phone, laptop] = [await signIn(), await signIn()]
  await phone.ask('/name', { name: ' My phone ' })
  expect((await laptop.ask()).devices.map(({ name }) => name)).toEqual(['Firefox on Linux', 'My phone'])
  for (const name of [' ', 'x'.repeat(61), 'a\nb'])
    expect(await phone.ask('/name', { name })).toMatchObject({ status: 400 })
})

test('[S230] a device that is ended is signed out at once, with what it has open, and only by the same person', async () => {
  const { url, tokens, signIn } = await protectedHub()
  await tokens.create({ name: 'ada' })
  const [lost, own, adas] = [await signIn(), await signIn(), await signIn('ada')]
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: lost.headers })
  await new Promise((open) => socket.on('open', open))
  const closed = new Promise((gone) => socket.on('close', gone))
  const [id = ''] = (await own.ask()).devices.filter(({ is_this }) => !is_this).map((device) => device.id)
  await adas.ask('/end', { id })
  expect((await own.ask()).devices).toHaveLength(2)
  expect((await own.ask('/end', { id })).devices).toMatchObject([{ is_this: true }])
  await closed
  expect(await lost.ask()).toMatchObject({ status: 401 })
  // Again, as by another page that still shows it.
  expect(await own.ask('/end', { id })).toMatchObject({ status: 200 })
})

test('[S230] where nobody signs in there are no devices, and a token alone has none to name', async () => {
  const { url, tokens } = await startHub(await temporaryFolder())
  expect(await (await fetch(`${url}/api/devices`)).json()).toEqual({ devices: [] })
  const { secret } = await tokens.create({ name: 'ada' })
  const headers = { authorization: `Bearer ${secret}` }
  expect(await (await fetch(`${url}/api/devices`, { headers })).json()).toEqual({ devices: [] })
  const named = await fetch(`${url}/api/devices/name`, { method: 'POST', headers, body: '{"name":"x"}' })
  expect(named.status).toBe(401)
})
