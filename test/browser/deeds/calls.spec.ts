import type { Body, Decided } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { send } from '../support/files.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]
const by = 'claude'
const server = 'files'
const rule = { id: 'no-secrets', line: 12, note: 'Keys stay where they are' }
const denial: Decided = { decision: 'deny_continue', rule, reason: 'Nobody reads keys' }

function call(call_id: string, tool: string, args: object, more: object = {}): Body {
  const tool_args = JSON.stringify(args)
  return { kind: 'tool_call', by, tool_name: `files_${tool}`, tool_args, call_id, server, ...more }
}

function result(call_id: string, tool: string, words: string, more: object = {}): Body {
  const common = { by, tool_name: `files_${tool}`, result: words, success: true, call_id, server }
  return { kind: 'tool_result', ...common, ...more }
}

for (const look of few(LOOKS, 1)) {
  test(`[U213] [U214] a call says its server, what decided about it, how long it took and what is masked (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const allowed: Decided = { decision: 'allow', by: 'ada', always: true }
    const secret = { path: '/home/ada/.ssh/id_ed25519' }
    await hub.record('work', [
      call('a', 'read_file', { path: 'notes.txt', token: '••••' }, { masked: 1 }),
      result('a', 'read_file', 'Buy milk', { decided: allowed, duration_ms: 2400, masked: 1 }),
      { kind: 'message', author: 'assistant', by, text: 'And now the key' },
      call('b', 'read_key', secret, { decided: denial }),
      result('b', 'read_key', 'Denied: Nobody reads keys', { success: false, decided: denial }),
    ])
    const chat = await visit('/', look)
    const read = chat.timeline.getByText('read_file').first()
    await expect(read).toBeVisible()
    const denied = chat.timeline.locator('summary', { hasText: 'read_key' })
    await expect(denied).toContainText('denied')
    await expect(denied).not.toContainText('failed')
    await read.click()
    await denied.click()
    const facts = chat.timeline.getByRole('definition')
    await expect(facts).toHaveText([
      'files',
      'Always allowed here by ada',
      '2.4 s',
      '2 secrets are masked.',
      'files',
      'Denied by the rule no-secrets (line 12): Keys stay where they are',
      'Nobody reads keys',
    ])
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
  })
}

test('[U214] calls that nobody was asked about say the rule', async ({ hub, visit }) => {
  const approval = { tool_name: 'Bash', input: '{"command":"npm test"}' }
  const decided: Decided = { decision: 'allow', rule: { id: '#3' } }
  await hub.record('work', [
    { kind: 'permitted_call', by, approval, granted_by: 'policy', decided },
    { kind: 'refused_call', by, approval, decided: denial },
  ])
  const chat = await visit()
  const [permitted, refused] = [chat.timeline.locator('summary').first(), chat.timeline.locator('summary').last()]
  await expect(permitted).toContainText('always allowed by rule #3')
  await expect(refused).toContainText('denied by rule no-secrets')
  await permitted.click()
  await expect(chat.timeline.getByRole('definition')).toHaveText('Allowed by the rule #3')
})

test('[U215] a late result stands at its call, and that the agent was told is a quiet note', async ({ hub, visit }) => {
  await hub.record('work', [
    call('a', 'write_file', { path: 'a.txt' }),
    { kind: 'turn', by },
    result('a', 'write_file', 'Written', { late: true, duration_ms: 40, decided: { decision: 'allow', by: 'ada' } }),
    { kind: 'message', author: 'user', by: 'parley', text: 'write_file has run: Written', call_id: 'a' },
  ])
  const chat = await visit()
  await expect(chat.timeline).toContainText('The agent was told: write_file has run: Written')
  await expect(chat.timeline.getByRole('article')).toHaveCount(0)
  await expect(chat.list).not.toContainText('You:')
  await chat.timeline.locator('summary').first().click()
  await expect(chat.timeline).toContainText('It was allowed after the call had ended')
  await expect(chat.timeline).toContainText('40 ms')
})

test('[U213] a result that is too large for an entry is a file that opens and can be saved', async ({ hub, visit }) => {
  const chat = await visit('/#/c/work')
  await hub.say('work', ['Hello'])
  await expect(chat.bubble('Hello')).toBeVisible()
  await send(chat, 'Large', [{ name: 'result.txt', mimeType: 'text/plain', buffer: Buffer.from('line\n'.repeat(999)) }])
  const attachments = (await hub.told('work')).flatMap((body) => (body.kind === 'message' && body.attachments) || [])
  await hub.record('calls', [call('a', 'list', {}), result('a', 'list', 'line\nline', { attachments })])
  await chat.page.goto(`${hub.url}/#/c/calls`)
  await chat.timeline.locator('summary').first().click()
  await expect(chat.timeline).toContainText('The whole result:')
  await expect(chat.timeline.getByRole('link', { name: 'Download result.txt' })).toBeVisible()
  await chat.timeline.getByRole('button', { name: 'Open result.txt' }).click()
  await expect(chat.page.getByRole('dialog')).toContainText('result.txt')
})
