import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

/** Of a Parley that is not written yet. */
const POLL = { kind: 'poll', by: 'agent', options: ['Red', 'Blue'] }
const NOTE = 'Update Parley to see this (poll)'
const said = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })

test('[U71] what this version does not know is a note in the log of a hub that goes on', async ({ hub, visit }) => {
  await hub.recordAll({ other: [said('Elsewhere')], work: [said('Before'), POLL as unknown as Body, said('After')] })
  const chat = await visit('/#/c/work')
  await expect(chat.bubble('After')).toBeVisible()
  await expect(chat.timeline.getByText(NOTE)).toHaveCount(1)
  await expect(chat.bubble('Before')).toBeVisible()
  await chat.reply('And on')
  await expect(chat.bubble('And on').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await expect(chat.list.getByRole('link')).toHaveCount(2)
  expect(await violations(chat.page)).toEqual([])
})

test('[U71] a page that is older than its hub shows what it knows, and counts nothing else', async ({ hub, visit }) => {
  await hub.recordAll({ other: [said('Elsewhere')], work: [said('Before'), said('A poll'), said('After')] })
  const chat = await visit('/favicon.svg', { changed: true })
  await growOld(chat)
  await chat.page.goto(`${hub.url}/#/c/work`)
  await expect(chat.timeline.getByText(NOTE)).toHaveCount(1)
  await expect(chat.bubble('After')).toBeVisible()

  await hub.report('other', ['A poll'])
  await hub.report('work', ['A poll', 'The end'])
  await expect(chat.bubble('The end')).toBeVisible()
  await expect(chat.timeline.getByText(NOTE)).toHaveCount(2)
  await expect(chat.list.getByText('1 new')).toHaveCount(0)
  await chat.reply('Thank you')
  await expect(chat.bubble('Thank you').getByRole('img', { name: 'Accepted' })).toBeVisible()
})

/**
 * The hub that it came from goes at once, and the next one is newer: polls come where this hub has a message that stands
 * for one.
 */
async function growOld({ page }: Chat) {
  let sockets = 0
  await page.routeWebSocket(/\/ws/, (socket) => {
    if (++sockets === 1) return void socket.close()
    const hub = socket.connectToServer()
    hub.onMessage((frame) => {
      const told = JSON.parse(String(frame))
      for (const entry of told.entries ?? []) if (entry.body.text === 'A poll') entry.body = POLL
      socket.send(JSON.stringify(told))
    })
  })
}
