import { expect, test } from '../support/fixture.ts'

/** Runs in the page before it does: counts its sounds and notifications, and hides it. */
function hideAndCount() {
  const calls = { sounds: 0, shown: [] as string[] }
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  localStorage.setItem('parley.notify', 'on')
  class Notified {
    static permission = 'granted'
    constructor(_title: string, { body }: { body: string }) {
      calls.shown.push(body)
    }
    close() {}
  }
  class Counted extends AudioContext {
    constructor() {
      super()
      calls.sounds++
    }
  }
  Object.assign(window, { Notification: Notified, AudioContext: Counted, calls })
}

test('[U146] a muted or snoozed conversation makes no sound, no notification and no badge', async ({
  hub,
  connect,
  visit,
}) => {
  for (const name of ['muted', 'snoozed', 'loud']) await hub.say(name, ['Hello'])
  await hub.mark({ muted: { muted: true }, snoozed: { snoozed: { until: '2100-01-01T00:00:00Z' } } })
  const { page, bubble } = await visit('/favicon.svg', { changed: true })
  await page.addInitScript(hideAndCount)
  await page.goto(`${hub.url}/#/c/loud`)
  await expect(bubble('Hello')).toBeVisible()
  for (const name of ['muted', 'snoozed', 'loud']) {
    const isAsked = async () => (await hub.told(name)).some(({ kind }) => kind === 'question')
    await (await connect(name)).put(`Question of ${name}?`, () => expect.poll(isAsked).toBe(true))
  }
  await expect(page).toHaveTitle(/^\(1\) /)
  const calls = () => page.evaluate(() => (window as unknown as { calls: { shown: string[]; sounds: number } }).calls)
  await expect.poll(async () => (await calls()).shown).toEqual(['Question of loud?'])
  await expect.poll(async () => (await calls()).sounds).toBe(1)
})
