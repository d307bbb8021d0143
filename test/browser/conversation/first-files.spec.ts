import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { acpDriver } from '../../../src/agents/acp/driver.ts'
import { openOrchestrator } from '../../../src/agents/orchestrator.ts'
import { png } from '../../support/images.ts'
import { test as base, type Chat, expect } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const AGENT = fileURLToPath(new URL('../../support/driven/acp-agent.ts', import.meta.url))
const SHOT = png(64, 40)

interface Driven {
  /** What the agent was prompted with. */
  prompts(): Promise<{ text: string; kinds: string[] }[]>
}

const test = base.extend<{ driven: Driven }>({
  driven: async ({ hub }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-first-files-'))
    const runner = await openOrchestrator({
      driver: acpDriver({ command: `"${process.execPath}" "${AGENT}"`, environment: { ACP_AGENT_FOLDER: folder } }),
      folder,
      name: 'robot',
      maxSessions: 2,
      idleMs: 60_000,
      delivery: 'next',
      state: join(folder, 'runner.db'),
      connect: () => new StreamableHTTPClientTransport(new URL('/mcp/orchestrator', hub.url)),
      hasToken: false,
      parley: async () => ({ stdio: { command: '', args: [], env: {} } }),
      report() {},
    })
    await use({ prompts: async () => linesOf(await readFile(join(folder, 'prompts.jsonl'), 'utf8').catch(() => '')) })
    await runner.close()
    await rm(folder, { recursive: true, force: true })
  },
})

function linesOf(file: string) {
  return file
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Pastes or drops a picture where the first message is written; whether the page took it. */
function give({ page }: Chat, how: 'paste' | 'drop', name: string) {
  return page.getByRole('textbox', { name: 'First message' }).evaluate(
    (field, { how, name, base64 }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'image/png' }))
      const shared = { bubbles: true, cancelable: true }
      if (how === 'paste') return !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...shared }))
      return !field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...shared }))
    },
    { how, name, base64: SHOT.toString('base64') },
  )
}

test('[U208] pictures that are picked, pasted and dropped begin a conversation, and reach the agent in its prompt', async ({
  hub,
  visit,
  driven,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  await chat.page.getByRole('button', { name: 'New conversation' }).click()
  const dialog = chat.page.getByRole('dialog', { name: 'New conversation' })
  await expect(dialog.getByRole('radio', { name: /robot/ })).toBeChecked()
  const start = dialog.getByRole('button', { name: 'Start' })
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  const choosing = chat.page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles([{ name: 'picked.png', mimeType: 'image/png', buffer: SHOT }])
  expect(await give(chat, 'paste', 'pasted.png')).toBe(true)
  expect(await give(chat, 'drop', 'dropped.png')).toBe(true)
  const chips = dialog.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await expect(chips).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Remove dropped.png' }).click()
  await expect(chips).toHaveCount(2)
  expect(await violations(chat.page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'First message' }).fill('What is this?')
  await start.click()
  await expect(dialog).toHaveCount(0)
  await expect(chat.timeline.getByRole('button', { name: 'Enlarge picked.png' })).toBeVisible()
  await expect(chat.timeline.getByRole('button', { name: 'Enlarge pasted.png' })).toBeVisible()
  await expect(chat.bubble('You said:')).toBeVisible()
  const started = (await driven.prompts()).filter(({ text }) => text.includes('What is this?'))
  expect(started).toMatchObject([{ kinds: ['text', 'image', 'image'] }])
  // What is behind the dialog got nothing of it.
  await chat.page.getByRole('link', { name: /Hello/ }).first().click()
  await expect(chat.bubble('Hello').first()).toBeVisible()
  await expect(chat.page.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
})
