import type { Body } from '../../../src/protocol/entries/entry.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const said = (by: string, text: string): Body => ({ kind: 'message', author: 'assistant', by, text })
const begun = (title: string, folder: string): Body => ({ kind: 'title', title, folder }) as Body
const TALKS = {
  certs: [begun('certs', '/home/ada/website'), said('codex', 'The certificate expires on Friday')],
  shop: [begun('shop', '/home/ada/shop'), said('claude-code', 'Two certificates were renewed')],
  asks: [{ kind: 'question', by: 'codex', text: 'Renew the certificates?' } as Body],
}
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 900, dark: true },
  { width: 390, height: 844, touch: true, dark: true },
]

for (const look of LOOKS)
  test(`[X30] filters in words narrow the search, and are completed, at ${look.width}`, async ({ hub, visit }) => {
    await hub.recordAll(TALKS)
    const chat = await visit('/', look)
    const dialog = chat.page.getByRole('dialog', { name: 'Search' })
    const group = (name: string) => dialog.getByRole('group', { name }).getByRole('option')
    await expect(chat.page.getByRole('textbox', { name: 'Message' })).toBeAttached()
    await chat.page.keyboard.press('Control+k')
    const input = dialog.getByRole('combobox')
    await expect(dialog.getByText('agent:codex', { exact: true })).toBeVisible()
    await input.pressSequentially('certificate ag')
    await expect(group('Filters')).toHaveText([/agent:\s+one agent/])
    await input.press('Tab')
    await expect(input).toHaveValue('certificate agent:')
    await expect(group('Filters')).toHaveText([/agent:claude-code\s+Claude Code/, /agent:codex\s+Codex/])
    await input.pressSequentially('cod')
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await input.fill('certificate agent:claude')
    await expect(group('Messages')).toHaveText([/Two certificates were renewed/])
    await expect(dialog.locator('mark')).toHaveText(['certificate'])
    await input.fill('certificates agent:codex')
    await expect(group('Messages')).toHaveText([/Renew the certificates/, /The certificate expires/])
    await expect(dialog.locator('mark')).toHaveText(['certificates', 'certificate'])
    await input.fill('certificates agent:codex is:waiting since:today')
    await expect(group('Messages')).toHaveText([/Renew the certificates/])
    await input.fill('folder:website')
    await expect(group('Conversations')).toHaveText(['certs'])
    await expect(group('Messages')).toHaveText([/certs/, /certs/])
    await input.fill('before:yesterday')
    await expect(dialog.getByText('No matches for “before:yesterday”.')).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
  })

test('[X30] a filter that is not understood is said in one sentence, and finds nothing', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  const chat = await visit()
  const dialog = chat.page.getByRole('dialog', { name: 'Search' })
  await expect(chat.page.getByRole('textbox', { name: 'Message' })).toBeAttached()
  await chat.page.keyboard.press('Control+k')
  const input = dialog.getByRole('combobox')
  for (const [query, problem] of [
    ['since:soon', 'since:soon is no time; write since:monday, since:2026-11-16 or since:12h'],
    ['agnet:codex', 'Unknown filter agnet:; did you mean agent:codex?'],
    ['is:gone', 'Unknown state is:gone; write is:waiting'],
    ['agent:gemini', 'Unknown agent “gemini”; known are Claude Code, Codex'],
  ] as const) {
    await input.fill(query)
    await expect(dialog.getByRole('alert')).toHaveText(problem)
    await expect(dialog.getByRole('option')).toHaveCount(0)
  }
  await input.fill('"since:soon"')
  await expect(dialog.getByText('No matches for')).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
})

test('[X32] a word with a letter wrong finds the right ones, and it is said that they are similar', async ({
  hub,
  visit,
}) => {
  await hub.recordAll(TALKS)
  const chat = await visit()
  const dialog = chat.page.getByRole('dialog', { name: 'Search' })
  await expect(chat.page.getByRole('textbox', { name: 'Message' })).toBeAttached()
  await chat.page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').fill('certficate')
  const found = dialog.getByRole('group', { name: 'Messages with similar words' }).getByRole('option')
  await expect(found).toHaveText([/Renew the/, /Two/, /expires/])
  await expect(dialog.locator('mark')).toHaveText(['certificates', 'certificates', 'certificate'])
  await expect(dialog.getByRole('status').filter({ hasText: 'similar' })).toHaveText(
    '3 with similar words; none with these',
  )
})

const there = (text: string): Body => said('codex', text)
const did = (command: string): Body => {
  return { kind: 'tool_call', by: 'codex', tool_name: 'Bash', tool_args: JSON.stringify({ command }) } as Body
}

for (const { kind, talks, query, shown } of [
  {
    kind: 'a message beside the name of a conversation',
    talks: { certificate: [there('Hello')], work: [there('The certifycate is gone')] },
    query: 'certifycate',
    shown: { Messages: [/certifycate is gone/] },
  },
  {
    kind: 'a call beside messages and the name of a conversation',
    talks: { certificate: [there('The certificate'), did('certifycate --new')] },
    query: 'certifycate',
    shown: { Tools: ['Show what agents did (1)'] },
  },
  {
    kind: 'a conversation beside messages and calls',
    talks: { certifycate: [there('The certificate'), did('certificate --new')] },
    query: 'certifycate',
    shown: { Conversations: ['certifycate'] },
  },
  {
    kind: 'a command beside messages and the name of a conversation',
    talks: { setting: [there('The settinks'), did('settinks')] },
    query: 'Settings',
    shown: { Conversations: ['setting'], Commands: [/Settings/] },
  },
])
  test(`[U493] what has the words hides what has similar ones: ${kind}`, async ({ hub, visit }) => {
    await hub.recordAll(talks)
    const chat = await visit()
    const dialog = chat.page.getByRole('dialog', { name: 'Search' })
    await expect(chat.page.getByRole('textbox', { name: 'Message' })).toBeAttached()
    await chat.page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').fill(query)
    await expect(dialog.getByRole('status').filter({ hasText: 'found' })).toHaveText(/^\d found$/)
    for (const [name, lines] of Object.entries(shown))
      await expect(dialog.getByRole('group', { name, exact: true }).getByRole('option')).toHaveText(lines)
    await expect(dialog.getByRole('listbox').getByRole('group')).toHaveCount(Object.keys(shown).length)
  })
