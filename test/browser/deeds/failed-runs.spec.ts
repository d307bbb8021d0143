import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test as base, type Chat, expect } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const BIN = fileURLToPath(new URL('../../../bin/parley.js', import.meta.url))
const AGENT = fileURLToPath(new URL('../../support/driven/acp-agent.ts', import.meta.url))

/** `parley run`, as a person types it; answers with what it tells the terminal last, once it is there or has failed. */
const test = base.extend<{ run: (...args: string[]) => Promise<string> }>({
  run: async ({ hub: { data } }, use) => {
    const env = { ...process.env, ACP_AGENT: '{"login":"new"}', ACP_AGENT_FOLDER: data }
    const children: ChildProcess[] = []
    await use(async (...args) => {
      const stdio: StdioOptions = ['ignore', 'ignore', 'pipe']
      const child = spawn(process.execPath, [BIN, 'run', '--data', data, ...args], { stdio, env })
      children.push(child)
      let last = ''
      for await (const line of createInterface(child.stderr as NodeJS.ReadableStream)) {
        last = line
        if (line.includes('is there for you')) break
      }
      return last
    })
    for (const child of children) {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    }
  },
})

/** The list of those that could not start, in the dialog that begins conversations. */
async function openDialog({ page }: Chat) {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  return page.getByRole('dialog', { name: 'New conversation' })
}

test('[U204] a run that cannot start says why in the page: no program, no ACP, a login, no folder', async ({
  hub,
  visit,
  run,
}) => {
  const chat = await visit('/', { width: 1440, height: 900 })
  const dialog = await openDialog(chat)
  await expect(dialog).toContainText('in the folder it should work in')
  const folder = join(hub.data, 'nowhere')
  const runs = {
    unknown: ['--acp', 'no-such-agent --acp'],
    mute: ['--acp', 'cat'],
    locked: ['--acp', `"${process.execPath}" "${AGENT}"`],
    lost: ['--command', 'cat', '--cwd', folder],
  }
  const list = dialog.getByRole('region', { name: 'Could not start' })
  const trying = Object.entries(runs).map(async ([name, args]) => {
    const sentence = await run('--name', name, ...args)
    await expect(list.getByRole('listitem').filter({ hasText: name })).toContainText(sentence)
  })
  await Promise.all(trying)
  await expect(list).toContainText('install it, or give its path')
  await expect(list).toContainText('does not speak ACP')
  await expect(list).toContainText('wants a login')
  await expect(list).toContainText(`${folder} does not exist; make it, or name another with --cwd`)
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  expect(await violations(chat.page)).toEqual([])
})

test('[U204] a second run of one name is told beside the first, with which people still talk', async ({
  hub,
  visit,
  run,
}) => {
  await hub.say('work', ['Hello'])
  const args = ['--command', 'cat', '--name', 'parrot']
  await run(...args)
  const sentence = await run(...args)
  const chat = await visit('/', { width: 390, height: 844, touch: true, dark: true })
  await chat.page.getByRole('button', { name: /Show the conversations/ }).click()
  const dialog = await openDialog(chat)
  await expect(dialog.getByRole('region', { name: 'Could not start' })).toContainText(sentence)
  await expect(dialog.getByRole('radio', { name: /^parrot/ })).toBeChecked()
  expect(await violations(chat.page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'First message' }).fill('Say it again')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(chat.bubble('Say it again')).toHaveCount(2)
})
