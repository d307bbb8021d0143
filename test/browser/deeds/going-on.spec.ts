import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ACP } from '../../support/driven/programs.ts'
import { type Chat, expect } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { violations } from '../support/violations.ts'

const KEEPS = `ACP_AGENT='{"lists":40,"forks":true}' ${ACP}`

test.use({ programs: { codex: '', 'codex-acp': KEEPS, gemini: ACP } })

async function begin(chat: Chat, agent: string, words: string) {
  await chat.page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  const dialog = chat.page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('radio', { name: agent }).check()
  await choose(chat, 'work')
  await dialog.getByRole('textbox', { name: 'First message' }).fill(words)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(chat.bubble('You said:')).toBeVisible()
  return dialog
}

async function choose({ page }: Chat, folder: string) {
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  const browse = dialog.getByRole('button', { name: 'Choose a folder…' })
  // Where it is not chosen from the start.
  if (!(await dialog.getByText('Choose a folder', { exact: true }).isVisible())) await browse.click()
  await dialog.getByRole('button', { name: folder, exact: true }).click()
  await dialog.getByRole('button', { name: `Use ${folder}` }).click()
}

for (const [agent, tells] of [
  ['Codex', 'and then?'],
  ['Gemini CLI', /goes on from an earlier one[\s\S]*Person: remember 42[\s\S]*and then\?$/],
] as const)
  test(`[U390] a conversation of ${agent} is forked from a message, with what was said up to there in its timeline`, async ({
    machine: { linesOf },
    visit,
  }) => {
    const chat = await visit()
    const dialog = await begin(chat, agent, 'remember 42')
    await chat.reply('Forget it again')
    await expect(chat.bubble('You said: Forget it again')).toBeVisible()
    const first = chat.bubble('You said: remember 42')
    await first.hover()
    await first.getByRole('button', { name: 'Fork the conversation from this message' }).click()
    await expect(dialog.getByRole('radio', { name: agent })).toBeChecked()
    await expect(dialog).toContainText('Continues “remember 42”')
    expect(await violations(chat.page)).toEqual([])
    await dialog.getByRole('textbox', { name: 'First message' }).fill('and then?')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(chat.timeline).toContainText('Continues another conversation')
    await expect(chat.bubble('and then?').first()).toBeVisible()
    await expect(chat.bubble('You said: remember 42').first()).toContainText('earlier')
    await expect(chat.bubble('Forget it again')).toHaveCount(0)
    await expect.poll(() => linesOf('prompts').length).toBe(3)
    // A session that has more than that is not forked.
    expect(linesOf('prompts').at(-1)?.text).toMatch(/goes on from an earlier one/)

    await chat.page.getByRole('button', { name: 'More about this conversation' }).click()
    await chat.page.getByRole('menuitem', { name: 'Fork…' }).click()
    await dialog.getByRole('textbox', { name: 'First message' }).fill('and then?')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await expect.poll(() => linesOf('prompts').length).toBe(4)
    expect(linesOf('prompts').at(-1)?.text).toEqual(typeof tells === 'string' ? tells : expect.stringMatching(tells))
    expect(linesOf('begun').some(({ method }) => method === 'session/fork')).toBe(agent === 'Codex')
  })

test('[U391] a conversation is begun again in another folder, with the words and settings that it began with', async ({
  machine: { home, linesOf },
  visit,
}) => {
  mkdirSync(join(home, 'other'))
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const dialog = await begin(chat, 'Codex', 'Count the files')
  await chat.page.getByRole('button', { name: 'More about this conversation' }).click()
  await chat.page.getByRole('menuitem', { name: 'Start again in another folder…' }).click()
  await expect(dialog.getByText('Choose a folder', { exact: true })).toBeVisible()
  await dialog.getByRole('list', { name: 'Folders' }).getByRole('button').first().click()
  await choose(chat, 'other')
  await expect(dialog.getByRole('radio', { name: 'Codex' })).toBeChecked()
  await expect(dialog.getByRole('textbox', { name: 'First message' })).toHaveValue('Count the files')
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(chat.page.getByRole('heading', { level: 1 })).toContainText('Count the files')
  await expect.poll(() => linesOf('prompts').map(({ text }) => text)).toEqual(['Count the files', 'Count the files'])
  expect(linesOf('begun').findLast(({ method }) => method === 'session/new')).toMatchObject({
    cwd: join(home, 'other'),
  })
})

test('[U392] a session that its agent keeps of the folder is gone on with, and what was said there stands in the timeline', async ({
  machine: { folder, seen, linesOf },
  visit,
}) => {
  keepSessions(seen, folder, 60)
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const { page } = chat
  await page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('radio', { name: 'Codex' }).check()
  await expect(dialog.getByRole('button', { name: 'Continue a session…' })).toHaveCount(0)
  await choose(chat, 'work')
  await dialog.getByRole('textbox', { name: 'First message' }).fill('Something else')
  await dialog.getByRole('button', { name: 'Continue a session…' }).click()
  const list = dialog.getByRole('list', { name: 'Sessions' })
  await expect(list.getByRole('button').first()).toContainText('Hats, part 59')
  await expect(list.getByRole('button')).toHaveCount(51)
  await list.getByRole('button', { name: 'Show more' }).click()
  await expect(list.getByRole('button')).toHaveCount(60)
  await expect(list.getByRole('button', { name: 'Hats, part 9' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Continue a session…' }).click()
  await list.getByRole('button', { name: 'Hats, part 59' }).click()
  await expect(dialog).toContainText('Continues “Hats, part 59”')
  await expect(dialog.getByRole('textbox', { name: 'First message' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Continue' }).last().click()
  await expect(chat.timeline).toContainText('Continues a session')
  await expect(chat.bubble('Which hat?')).toContainText('earlier')
  await expect(chat.bubble('The blue one.')).toContainText('earlier')
  await expect(chat.timeline).toContainText('Look at the hats')
  expect(await violations(page)).toEqual([])
  await chat.composer.fill('And the red one?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(chat.bubble('You said: And the red one?')).toBeVisible()
  expect(linesOf('prompts').map(({ text }) => text)).toEqual(['And the red one?'])
  // What was written for another one is still there.
  await page.getByRole('button', { name: /Show the conversations/ }).click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect(dialog.getByRole('textbox', { name: 'First message' })).toHaveValue('Something else')
})

test('[U392] where an agent keeps none or cannot list them, a sentence says so', async ({ visit }) => {
  const chat = await visit('/')
  await chat.page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  const dialog = chat.page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('radio', { name: 'Codex' }).check()
  await choose(chat, 'work')
  await dialog.getByRole('button', { name: 'Continue a session…' }).click()
  await expect(dialog).toContainText('No sessions in this folder')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('radio', { name: 'Gemini CLI' }).check()
  await dialog.getByRole('button', { name: 'Continue a session…' }).click()
  await expect(dialog).toContainText('Gemini CLI has no list of its sessions')
})

function keepSessions(seen: string, cwd: string, count: number) {
  for (let n = 0; n < count; n++) {
    const kept = { sessionId: `s-${n}`, cwd, title: `Hats, part ${n}`, updatedAt: new Date(n * 1000).toISOString() }
    appendFileSync(join(seen, 'sessions.jsonl'), `${JSON.stringify(kept)}\n`)
  }
  const text = (sessionUpdate: string, words: string) => ({ sessionUpdate, content: { type: 'text', text: words } })
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look at the hats', status: 'completed' }
  for (const update of [text('user_message_chunk', 'Which hat?'), call, text('agent_message_chunk', 'The blue one.')])
    appendFileSync(join(seen, `session-s-${count - 1}.jsonl`), `${JSON.stringify(update)}\n`)
}
