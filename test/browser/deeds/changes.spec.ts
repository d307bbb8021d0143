import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Locator } from '@playwright/test'
import type { DrivenSession, Driver } from '../../../src/agents/driver.ts'
import { openOrchestrator } from '../../../src/agents/orchestrator.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const BEFORE = Array.from({ length: 30 }, (_, n) => `export const line${n} = ${n}\n`).join('')
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

for (const look of few(LOOKS, 1))
  test(`[U371] [U407] what an agent changed is read and commented on, ${look.width} px wide`, async ({
    hub,
    visit,
  }) => {
    const shop = await openShop(hub.url)
    await hub.say('work', ['Change it'])
    const chat = await visit('/', look)
    const { page } = chat
    await page.getByRole('button', { name: 'Changes', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Changes' })
    const file = (name: string) => dialog.getByRole('region', { name, exact: true })
    await expect(dialog).toContainText('3 files +2 −1')
    await expect(dialog).toContainText('Since the conversation began · main')
    await expect(file('src/new.ts')).toContainText('new')
    await expect(file('src/shop.ts').locator('code .added')).toHaveText('+export const line7 = "seven"')
    await expect(file('logo.png')).toContainText('no text')
    expect(await violations(page)).toEqual([])
    if (process.env.PARLEY_SHOTS)
      await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/changes-${look.width}.png` })

    await file('src/shop.ts')
      .locator('code > [data-line]')
      .filter({ hasText: 'seven' })
      .click({ position: { x: 30, y: 8 }, force: true })
    await dialog.getByRole('textbox', { name: 'Comment on src/shop.ts:8' }).fill('As a number, please')
    await dialog.getByRole('button', { name: 'Done' }).click()
    if (process.env.PARLEY_SHOTS)
      await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/comment-${look.width}.png` })
    // A line that is another one by now keeps its comment apart.
    shop.write('src/shop.ts', BEFORE)
    await dialog.getByRole('button', { name: 'Refresh' }).click()
    await expect(dialog).toContainText('On lines that have changed since')
    await expect(file('src/shop.ts')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Send 1 comment' }).click()
    await expect(dialog).toHaveCount(0)
    const comment = chat.bubble('As a number, please')
    await expect(comment).toBeVisible()
    // Behind the last turn alone.
    const link = page.getByRole('button', { name: 'Changes', exact: true })
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0
    await expect.poll(async () => (await topOf(link.last())) > (await topOf(comment))).toBe(true)
    await expect(link).toHaveCount(1)

    await page.getByRole('button', { name: 'What the agent changed' }).click()
    await expect(dialog).toContainText('2 files')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await shop.close()
  })

/** A real runner in a real repository, whose agent writes three files. */
async function openShop(url: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-shop-')))
  const own = mkdtempSync(join(tmpdir(), 'parley-runner-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  write('src/shop.ts', BEFORE)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  const runner = await openOrchestrator({
    driver: driverOf(looked, () => {
      write('src/shop.ts', BEFORE.replace('line7 = 7', 'line7 = "seven"'))
      write('src/new.ts', 'export {}\n')
      write('logo.png', '\0\x01')
    }),
    folder,
    name: 'shop',
    conversation: 'work',
    maxSessions: 1,
    idleMs: 60_000,
    delivery: 'next',
    state: join(own, 'runner.db'),
    connect: () => new StreamableHTTPClientTransport(new URL('/mcp/orchestrator', url)),
    hasToken: false,
    parley: async () => ({ stdio: { command: '', args: [], env: {} } }),
    report(error) {
      throw error
    },
  })
  return { write, close }

  function write(path: string, text: string) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  /** An agent takes longer to start than its runner to look through the folder. */
  async function looked() {
    const starts = () => globSync(join(own, 'runner.db.changes/*/start.json')).map((path) => readFileSync(path, 'utf8'))
    await expect.poll(() => starts().some((start) => start.includes('"tree"'))).toBe(true)
  }

  async function close() {
    await runner.close()
    for (const place of [folder, own]) rmSync(place, { recursive: true, force: true })
  }
}

function driverOf(begin: () => Promise<void>, work: () => void): Driver {
  let hasWorked = false
  return {
    name: 'scripted',
    async start(): Promise<DrivenSession> {
      await begin()
      return {
        remembers: true,
        async prompt({ giving }) {
          await giving?.()
          if (!hasWorked) work()
          hasWorked = true
          return { outcome: 'ended' }
        },
        interrupt: async () => {},
        choose: async () => {},
        stop: async () => {},
        lost: new Promise(() => {}),
      }
    },
  }
}
