import { expect, test } from './fixture.ts'

const FIRST_LOAD_BYTES = 90 * 1024
const SECOND_LOAD_BYTES = 5 * 1024

test('[U22] the first load is small and the second transfers next to nothing', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg', { own: true })
  const network = await chat.page.context().newCDPSession(chat.page)
  await network.send('Network.enable')
  let bytes = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES)
  bytes = 0
  await chat.page.goto('about:blank')
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  expect(bytes).toBeLessThanOrEqual(SECOND_LOAD_BYTES)
})
