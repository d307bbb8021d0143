import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import type { Body } from '../../src/protocol/entries/entry.ts'
import { animated, type Frame } from './apng.ts'
import { changedSince } from './changed-since.ts'

const SIZE = { width: 1100, height: 640 }
const SHARPNESS = 1.25

export const MOVING = 'dates'
export const BEFORE: Body[] = [
  { kind: 'title', title: 'Upgrade the date library' },
  { kind: 'message', author: 'user', by: 'person', text: 'Upgrade date-fns to 4, please' },
]

const QUESTION = {
  question: 'Version 4 is in. Two tests fail, as they expect the old time zone. **What shall I do?**',
  options: [{ label: 'Change the tests' }, { label: 'Keep the old time zone' }],
}
const PUSH = { tool_name: 'Bash', input: { command: 'git push origin date-fns-4', description: 'Push the branch' } }

interface Run {
  address: string
  /** As the agent: ends with the answer. */
  call: (name: string, args: Record<string, unknown>) => Promise<void>
  report: (text: string) => Promise<void>
}

/** An agent asks, a person answers and allows, and it goes on: frame by frame, of a page in which it happens. */
export async function takeMoving(browser: Browser, { address, call, report }: Run, path: string) {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: SHARPNESS,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  const page = await context.newPage()
  const workshop = await context.newPage()
  const frames: Frame[] = []
  let last: Buffer | undefined
  const dock = page.getByRole('region', { name: 'Open question' })
  const messages = page.getByRole('region', { name: 'Messages' })

  await page.goto(address)
  await messages.getByText('Upgrade date-fns').waitFor()
  await stand(1200)
  const answered = call('ask_user', QUESTION)
  await point(page, dock.getByRole('button', { name: 'Change the tests', disabled: false }), 2600, 700)
  await dock.getByRole('button', { name: 'Undo' }).waitFor()
  await stand(1000)
  await answered
  await stand(700)
  await report('Changed both tests: all 214 pass.')
  await messages.getByText('all 214 pass').waitFor()
  await stand(1200)
  const allowed = call('approve', PUSH)
  await point(page, dock.getByRole('button', { name: 'Allow once', disabled: false }), 2200, 700)
  await allowed
  await dock.waitFor({ state: 'hidden' })
  await stand(900)
  await report('Pushed to date-fns-4. Done.')
  await messages.getByText('Done.').waitFor()
  await stand(3500)
  await context.close()
  await writeFile(path, animated(frames))

  /** First as it is, then with the pointer on it, which presses it. */
  async function point(page: Page, button: ReturnType<Page['getByRole']>, before: number, pointed: number) {
    await button.waitFor()
    await page.mouse.move(0, 0)
    await stand(before)
    await button.hover()
    await stand(pointed)
    await button.click()
  }

  async function stand(ms: number) {
    await page.waitForFunction(() => document.fonts.status === 'loaded')
    const whole = await page.screenshot()
    const changed = await changedSince(workshop, last, whole)
    last = whole
    if (changed) frames.push({ ...changed, ms })
    else for (const frame of frames.slice(-1)) frame.ms += ms
  }
}
