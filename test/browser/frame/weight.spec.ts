import { stat } from 'node:fs/promises'
import { pageFolder } from '../../../src/doors/http/page.ts'
import { type Chat, expect, test } from '../support/fixture.ts'

const FIRST_LOAD_BYTES = 90 * 1024
const SECOND_LOAD_BYTES = 5 * 1024

test('[U22] the first load is small and the second transfers next to nothing', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg', { own: true })
  await chat.page.addInitScript(noteFirstMessage)
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  const files = await loadedBefore(chat)
  expect(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css'))).toBe(true)
  const sizes = await Promise.all(files.map(async (file) => (await stat(`${pageFolder()}${file}.gz`)).size))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(FIRST_LOAD_BYTES)

  // Until all that comes later has come.
  await expect(chat.composer).toBeVisible()
  const network = await chat.page.context().newCDPSession(chat.page)
  await network.send('Network.enable')
  let bytes = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await chat.page.goto('about:blank')
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  expect(bytes).toBeLessThanOrEqual(SECOND_LOAD_BYTES)
})

/** Runs in the page before it does. */
function noteFirstMessage() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    performance.mark('first message')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** The scripts and styles that were asked for before there was a message. */
function loadedBefore({ page }: Chat): Promise<string[]> {
  return page.evaluate(() => {
    const [message] = performance.getEntriesByName('first message')
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < (message?.startTime ?? 0))
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /\.(?:js|css)$/.test(path))
  })
}
