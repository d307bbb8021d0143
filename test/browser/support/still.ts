import type { Locator } from '@playwright/test'
import { approver } from './approver.ts'
import { type Chat, expect, type Fixtures } from './fixture.ts'
import type { Look } from './windows.ts'

export const DANGER = { command: 'rm -rf build' }
const SOON = 'Too soon to allow it: look at it first.'

export const button = ({ page }: Chat, name: string | RegExp) => page.getByRole('button', { name }).last()
export const soon = ({ page }: Chat) => page.locator('[aria-live="polite"]', { hasText: SOON })

/** A page whose clock goes on only when a test says so, and an agent that asks there. */
export async function still({ hub, visit }: Pick<Fixtures, 'hub' | 'visit'>, look: Look = {}) {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg', { clock: true, ...look })
  await chat.page.clock.install()
  await chat.page.goto(`${hub.url}/#/c/work`)
  await expect(chat.composer).toBeVisible()
  await chat.page.clock.pauseAt(Date.now() + 5000)
  return { chat, approve: await approver(hub, 'work'), ends, waitNearly }

  /** What was decided. */
  async function ends() {
    return (await hub.told('work')).filter(({ kind }) => kind === 'settlement')
  }

  async function waitNearly() {
    await chat.page.clock.runFor(500)
  }
}

/** The clock goes on until it is there: of what comes close together, the page takes the second a moment later. */
export async function arrives({ page }: Chat, where: Locator) {
  const isThere = async () => {
    await page.clock.runFor(50)
    await expect(where).toBeAttached({ timeout: 250 })
  }
  await expect(isThere).toPass({ intervals: [50] })
}

/** By the mouse, on its middle, once it stands there, whatever it says of itself. */
export async function clickOn({ page }: Chat, where: Locator) {
  await where.hover({ trial: true })
  const box = await where.boundingBox()
  if (!box) throw new Error('It is not there')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
