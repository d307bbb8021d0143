import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { doorTo } from '../../../src/cli/hub/sign-in.ts'
import { openTokens } from '../../../src/doors/http/access/open-tokens.ts'
import { exportPath } from '../../../src/protocol/frames/export.ts'
import { png } from '../../support/images.ts'
import { send } from '../support/files.ts'
import { expect, test } from '../support/fixture.ts'
import type { HubProcess } from '../support/hub-process.ts'

const PICTURE = { name: 'shot.png', mimeType: 'image/png', buffer: png(640, 400) }
const NOTES = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes of today') }

/** What `parley open` shows the browser. */
async function doorOf({ data, url }: HubProcess): Promise<string> {
  return doorTo(`${url}/sign-in/${await openTokens({ data }).link('local')}`, data)
}

test('[U219] a protected page is signed out, parley open signs it in, and everything works there', async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  await openTokens(hub).protect()
  await expect(chat.page.getByText('This browser is signed out')).toBeVisible()
  await chat.page.goto(await doorOf(hub))
  await expect(chat.bubble('Hello')).toBeVisible()
  await send(chat, 'Look', [PICTURE, NOTES])
  const picture = chat.timeline.getByRole('img', { name: 'shot.png' })
  await expect(picture).toBeVisible()
  // There is room for it before it is there.
  await expect.poll(() => picture.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(640)
  await expect(chat.timeline.getByText('Notes of today')).toBeVisible()
  await chat.page.getByRole('button', { name: 'More about this conversation' }).click()
  await chat.page.getByRole('menuitem', { name: 'Export…' }).click()
  const [file] = await Promise.all([
    chat.page.waitForEvent('download'),
    chat.page.getByRole('menuitem', { name: 'Markdown' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('Hello')
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  await expect(chat.page.getByRole('region', { name: 'Servers' })).toContainText('Mounted servers are listed here')
  await openTokens(hub).unprotect()
  await chat.page.reload()
  await expect(chat.bubble('Look')).toBeVisible()
})

test('[S46] a program at another port gets the cookie of a signed-in browser, and nothing for it', async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.say('work', ['Hello'])
  await openTokens(hub).protect()
  const chat = await visit('/favicon.svg')
  await chat.page.goto(await doorOf(hub))
  await expect(chat.bubble('Hello')).toBeVisible()
  const { promise: stolen, resolve } = Promise.withResolvers<string>()
  const thief = createServer(({ headers }, response) => {
    if (headers.cookie) resolve(headers.cookie)
    response.setHeader('content-type', 'text/html')
    response.end('<title>A page of another port</title>')
  }).listen(0, '127.0.0.1')
  const other = await chat.page.context().newPage()
  await other.goto(`http://localhost:${(thief.address() as AddressInfo).port}`)
  const cookie = await stolen
  expect(cookie).toMatch(/^parley=parley_/)
  expect(await other.evaluate(() => localStorage.length)).toBe(0)
  for (const path of [exportPath('work', 'md'), '/metrics', '/ws'])
    expect([path, (await fetch(hub.url + path, { headers: { cookie } })).status]).toEqual([path, 401])
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws`, { headers: { cookie } })
  const [, refusal] = await new Promise<[unknown, { statusCode?: number }]>((answered) => {
    socket.on('unexpected-response', (...refused) => answered(refused))
  })
  expect(refusal.statusCode).toBe(401)
  thief.close()
  await expect(chat.bubble('Hello')).toBeVisible()
})
