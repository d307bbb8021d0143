import { get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { serveEarlyPage } from '../../src/doors/http/early-page.ts'
import { openHubProcess } from '../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import { temporaryFolder } from '../support/hub.ts'

test('[C57] the files of the page come before the hub is open, and everything else waits for it', async () => {
  const data = await temporaryFolder()
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  let isOpen = false
  const early = [fetch(startupLock.url), fetch(`${startupLock.url}/nowhere.js`), fetch(`${startupLock.url}/healthz`)]
  const refused = statusWith(startupLock.url, { host: 'evil.example' }).then((status) => [status, isOpen])
  serveEarlyPage(startupLock.listener)
  expect(await (await early[0])?.text()).toContain('<title>Parley</title>')
  expect(await (await fetch(startupLock.url)).text()).toContain('<title>Parley</title>')
  isOpen = true
  const hub = await openHubProcess({ startupLock, data, given: { log: 'error' } })
  onTestFinished(() => hub.end('ending'))
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 404, 200])
  expect(await refused).toEqual([403, true])
})

function statusWith(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
}
