import { allow, type Heard, heard, hide, listenTo } from '../support/eavesdrop.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import type { HubProcess } from '../support/hub-process.ts'
import { violations } from '../support/violations.ts'

const fail = (hub: HubProcess, conversation: string, error: string) =>
  fetch(`${hub.url}/api/tools/ui_chat_assistant_event`, {
    method: 'POST',
    body: JSON.stringify({ type: 'error', error, session_id: conversation }),
  })

async function choose(chat: Chat, ...labels: string[]) {
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  for (const label of labels) await chat.page.getByRole('checkbox', { name: label }).check()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('dialog')).toBeHidden()
}

test('[U165] errors and finished turns are told of by choice, one notification for each conversation, and a click opens it', async ({
  hub,
  visit,
}) => {
  for (const name of ['one', 'two', 'shown']) await hub.say(name, ['Hello'])
  const chat = await visit('/', { changed: true })
  await listenTo(chat)
  await expect(chat.composer).toBeVisible()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  for (const label of ['Errors', 'Finished turns', 'Agents that stop listening'])
    await expect(chat.page.getByRole('checkbox', { name: label })).toBeDisabled()
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('dialog')).toBeHidden()
  await allow(chat)

  await hide(chat, true)
  await fail(hub, 'one', 'Not chosen')
  await expect(chat.list).toContainText('Not chosen')
  await hide(chat, false)
  await choose(chat, 'Errors')
  await fail(hub, 'one', 'Not hidden')
  await expect(chat.list).toContainText('Not hidden')
  await hide(chat, true)
  await hub.act('two', 'ends its turn')
  await fail(hub, 'one', 'The disk is full\nat line 7')
  const shown = async () => (await heard(chat)).shown.map(({ title, body, tag }) => ({ title, body, tag }))
  await expect.poll(shown).toMatchObject([{ title: 'one', body: expect.stringMatching('failed: The disk is full') }])
  await hide(chat, false)
  await choose(chat, 'Finished turns')
  await hide(chat, true)
  await hub.act('one', 'ends its turn')
  await expect
    .poll(shown)
    .toMatchObject([{ tag: 'news one' }, { tag: 'news one', body: expect.stringMatching('finished') }])
  expect((await heard(chat)).sounds).toBe(0)
  await chat.page.evaluate(() => (window as unknown as { heard: Heard }).heard.shown[1]?.onclick?.())
  await hide(chat, false)
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('one')
})

test('[U166] what happened while the page was away is no reason to notify anyone', async ({ hub, visit }) => {
  await hub.say('shown', ['Hello'])
  const chat = await visit('/', { changed: true })
  await listenTo(chat)
  await expect(chat.composer).toBeVisible()
  await allow(chat)
  await choose(chat, 'Errors', 'Finished turns', 'Agents that stop listening')
  await hide(chat, true)
  await hub.record('missed', [
    { kind: 'error', by: 'agent', error: 'Away' },
    { kind: 'turn', by: 'agent' },
  ])
  await expect(chat.list.getByRole('link', { name: 'missed' })).toBeVisible()
  await fail(hub, 'missed', 'Here')
  await expect.poll(async () => (await heard(chat)).shown).toMatchObject([{ body: expect.stringMatching('Here') }])
})
