import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import type { HubProcess } from '../support/hub-process.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]
const POLICY = `// Mine.
{
  "rules": [
    // No mail.
    { "id": "no-mail", "server": "mail", "decision": "deny_continue", "reason": "No mail here" },
    // Allowed by ada on 2026-11-16 in work
    { "server": "agent", "tool": "Read", "decision": "allow" },
    { "server": "agent", "tool": "Bash", "arguments": { "command": { "command": "npm test" } }, "off": true, "decision": "allow" },
  ]
}
`

function policyOf({ data }: HubProcess) {
  const path = join(data, 'policy.jsonc')
  return { write: (text: string) => writeFileSync(path, text), text: () => readFileSync(path, 'utf8') }
}

/** An agent that asks before it uses its tools. */
async function askingAgent({ url }: HubProcess, session = 'work') {
  const client = new Client({ name: 'claude-code', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/agent?session=${session}`, url)))
  const approve = (tool_name: string, input = {}) =>
    client.callTool({ name: 'approve', arguments: { tool_name, input } }, { timeout: 60_000 })
  return { approve, close: () => client.close() }
}

async function openSettings(chat: Chat, width = 1440) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  const dialog = chat.page.getByRole('dialog', { name: 'Settings' })
  return {
    policy: dialog.getByRole('region', { name: 'Policy' }),
    granted: dialog.getByRole('region', { name: /^Always/ }),
  }
}

for (const look of few(LOOKS, 0)) {
  test(`[U275] [U276] rules are listed with who, when and how often, switched and taken back (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    const file = policyOf(hub)
    file.write(POLICY)
    // By the hub that comes back the rules are read; one that runs sees the file a moment later.
    await hub.record('work', [{ kind: 'message', author: 'user', by: 'ada', text: 'Hello' }])
    const { approve, close } = await askingAgent(hub)
    for (const _ of [1, 2]) await approve('Read')
    const chat = await visit('/', look)
    await expect(chat.bubble('Hello')).toBeVisible()
    const { policy } = await openSettings(chat, look.width)
    const items = policy.getByRole('listitem')
    await expect(items).toHaveCount(3)
    await expect(policy).toContainText('2 rules decide')
    await expect(items.nth(0)).toContainText(
      /Deny server mail\s+no-mail ·\s+Written by hand, line 5 · Has not decided yet/,
    )
    await expect(items.nth(1)).toContainText(
      /Allow server agent, tool Read\s+Always allowed by ada in work · .* · Decided 2 times, last /,
    )
    await expect(items.nth(2)).toContainText(/npm test.*\s+Off/)
    await expect(policy).toContainText('Rules written by hand can be switched on and off here')
    await expect(items.nth(0).getByRole('button', { name: /Take back/ })).toHaveCount(0)
    await items.nth(2).getByRole('button', { name: 'Switch on rule #3' }).click()
    await expect(items.nth(2).getByRole('button', { name: 'Switch off rule #3' })).toBeFocused()
    await expect(policy.getByRole('status')).toHaveText('Rule #3 is on')
    await expect(policy).toContainText('3 rules decide')
    await items.nth(0).getByRole('button', { name: 'Switch off rule no-mail' }).click()
    await expect(items.nth(0)).toContainText('Off')
    expect(file.text()).toContain('    // No mail.\n    { "off": true, "id": "no-mail"')
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await items.nth(1).getByRole('button', { name: 'Take back rule #2' }).click()
    await expect(items).toHaveCount(2)
    await expect(policy.getByRole('heading', { name: 'Policy' })).toBeFocused()
    expect(file.text()).not.toContain('Allowed by ada')
    expect(file.text()).toContain('// Mine.')
    await close()
  })
}

test('[U277] [U279] a rule that is switched on settles an open card, and another page sees both', async ({
  hub,
  visit,
}) => {
  test.slow()
  policyOf(hub).write(POLICY)
  const { approve, close } = await askingAgent(hub)
  const [chat, other] = [await visit(), await visit()]
  const asked = approve('Bash', { command: 'npm test' })
  for (const page of [chat, other]) await expect(page.dock).toContainText('wants to use Bash')
  const [here, there] = [await openSettings(chat), await openSettings(other)]
  await here.policy.getByRole('button', { name: 'Switch on rule #3' }).click()
  expect(JSON.stringify(await asked)).toContain('allow')
  await expect(there.policy.getByRole('button', { name: 'Switch off rule #3' })).toBeVisible()
  await expect(there.policy.getByRole('listitem').nth(2)).toContainText('Decided once')
  await there.policy.getByRole('button', { name: 'Take back rule #2' }).click()
  await expect(here.policy.getByRole('listitem')).toHaveCount(2)
  await chat.page.keyboard.press('Escape')
  await expect(chat.dock).toHaveCount(0)
  await close()
})

for (const look of few(LOOKS, 1)) {
  test(`[U278] what is always allowed in conversations is listed and taken back (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    const { approve, close } = await askingAgent(hub)
    const chat = await visit('/', look)
    const first = approve('Bash', { command: 'npm test' })
    await chat.canAllow()
    await chat.dock.getByRole('button', { name: /Choose for whom/ }).click()
    await chat.page.getByRole('menuitem', { name: 'In this conversation' }).click()
    await first
    await approve('Bash', { command: 'npm test --watch' })
    const { granted } = await openSettings(chat, look.width)
    const grant = granted.getByRole('listitem')
    await expect(grant).toContainText(/Bash\s*To Claude Code, in .* · By a person, .* · Used once, last /)
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await grant.getByRole('button', { name: /^Take back Bash in/ }).click()
    await expect(granted).toContainText('Tools you always allow in one conversation')
    await expect(granted.getByRole('heading')).toBeFocused()
    await chat.page.keyboard.press('Escape')
    const again = approve('Bash', { command: 'npm test' })
    await expect(chat.dock).toContainText('wants to use Bash')
    again.catch(() => {})
    await close()
  })
}

test('[U280] a keyboard is enough, and what cannot be done is said', async ({ hub, visit }) => {
  const file = policyOf(hub)
  file.write(POLICY)
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const { policy } = await openSettings(chat)
  const off = policy.getByRole('button', { name: 'Switch off rule no-mail' })
  await off.focus()
  await chat.page.keyboard.press('Enter')
  await expect(policy.getByRole('button', { name: 'Switch on rule no-mail' })).toBeFocused()
  await chat.page.keyboard.press('Tab')
  await expect(policy.getByRole('button', { name: 'Switch off rule #2' })).toBeFocused()
  await chat.page.keyboard.press('Tab')
  await expect(policy.getByRole('button', { name: 'Take back rule #2' })).toBeFocused()
  file.write('{')
  await expect(policy).toContainText('The file has an error')
  await chat.page.keyboard.press('Enter')
  await expect(policy.getByRole('alert')).toContainText('correct it first')
})

test('[U281] who may not administer sees the rules, and takes back only the one that has their name', async ({
  hub,
  visit,
}) => {
  policyOf(hub).write(POLICY)
  await hub.token('create', 'ada', '--role', 'human')
  const chat = await visit('/favicon.svg')
  await chat.page.goto(await hub.token('link', 'ada'))
  await chat.page.getByRole('button', { name: /sign in/i }).click()
  const { policy, granted } = await openSettings(chat)
  await expect(policy.getByRole('listitem')).toHaveCount(3)
  await expect(policy.getByRole('button')).toHaveText([/^Take back\s+rule #2/])
  await expect(granted).toContainText('Tools you always allow in one conversation')
})

for (const look of few([...LOOKS, { width: 820, height: 1000, dark: true }], 1)) {
  test(`[U442] what was allowed for an agent is taken back at its record, and listed with who and how often (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    policyOf(hub).write('{ "rules": [] }')
    const { approve, close } = await askingAgent(hub)
    const chat = await visit('/', look)
    const first = approve('Bash', { command: 'npm test' })
    await chat.canAllow()
    await chat.dock.getByRole('button', { name: /Choose for whom/ }).click()
    await chat.page.getByRole('menuitem', { name: 'Allow “npm test …” for this agent' }).click()
    await first
    await approve('Bash', { command: 'npm test --watch' })
    const record = chat.bubble('Always allowed for this agent')
    await expect(record.getByRole('button', { name: 'Take back' })).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    const { policy } = await openSettings(chat, look.width)
    await expect(policy.getByRole('listitem')).toContainText(
      /npm test.*Always allowed by a person in .* · .* · Decided once/s,
    )
    await chat.page.keyboard.press('Escape')
    if (look.width < 820) await chat.page.keyboard.press('Escape')
    await record.getByRole('button', { name: 'Take back' }).click()
    await expect(record).toContainText('Taken back since')
    await expect(record.getByRole('button', { name: 'Take back' })).toHaveCount(0)
    expect(policyOf(hub).text()).not.toContain('npm test')
    const again = approve('Bash', { command: 'npm test' })
    await expect(chat.dock).toContainText('wants to use Bash')
    again.catch(() => {})
    await close()
  })
}

test('[U281] [U442] who may not administer takes back what they allowed themselves, and nothing of others', async ({
  hub,
  visit,
}) => {
  test.slow()
  policyOf(hub).write(POLICY)
  for (const name of ['ada', 'bob']) await hub.token('create', name, '--role', 'human')
  const secret = (await hub.token('create', 'robot', '--role', 'agent')).trim().split(/\s+/).at(-1) ?? ''
  const client = new Client({ name: 'claude-code', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${secret}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/agent?session=work', hub.url), { requestInit }))
  const asked = client.callTool(
    { name: 'approve', arguments: { tool_name: 'Write', input: { path: 'a' } } },
    { timeout: 60_000 },
  )
  asked.catch(() => {})
  const signIn = async (name: string) => {
    const chat = await visit('/favicon.svg', { own: true })
    await chat.page.goto(await hub.token('link', name))
    await chat.page.getByRole('button', { name: /sign in/i }).click()
    return chat
  }
  const ada = await signIn('ada')
  await ada.canAllow()
  await ada.dock.getByRole('button', { name: /Choose for whom/ }).click()
  await ada.page.getByRole('menuitem', { name: 'For this agent' }).click()
  await asked
  const bob = await signIn('bob')
  const of = ({ timeline }: Chat) => timeline.getByRole('article').filter({ hasText: 'Always allowed for this agent' })
  const button = (chat: Chat) => of(chat).getByRole('button', { name: 'Take back' })
  await expect(button(ada)).toBeVisible()
  const { policy } = await openSettings(bob)
  await expect(policy.getByRole('listitem')).toHaveCount(4)
  await expect(policy.getByRole('button')).toHaveCount(0)
  await bob.page.keyboard.press('Escape')
  await expect(of(bob)).toBeVisible()
  await expect(button(bob)).toHaveCount(0)
  await button(ada).click()
  for (const chat of [ada, bob]) await expect(of(chat)).toContainText('Taken back since')
  await client.close()
})
