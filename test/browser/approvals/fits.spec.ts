import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { connectOrchestrator } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

const PATH = '/home/ada/projects/site/src/navigation/side-bar.test.ts'
const OLD = 'import { a } from "./a"\n\nexport function run() {\n  const one = a()\n  return one\n}\n'
const EDIT = { file_path: PATH, old_string: OLD, new_string: OLD.replaceAll('one', 'two') }
const TALL = { width: 390, height: 844, touch: true }
/** What a browser's own bars leave of it. */
const LOW = { width: 390, height: 664, touch: true, dark: true }
const WIDE = { width: 1440, height: 900 }
const LOOKS = [{}, { dark: true }]

test('[U33] beside the list there is room for all of “Always allow”', async ({ hub, visit }) => {
  const approval = { tool_name: 'Edit', input: '{"path":"a"}' }
  await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval } as Body])
  const chat = await visit('/', { width: 820, height: 1000 })
  await chat.canAllow()
  const label = chat.dock.getByRole('button', { name: /^Always allow/ }).locator('.label')
  const beyond = await label.evaluate((node) => {
    const words = document.createRange()
    words.selectNodeContents(node)
    const button = node.closest('.split')?.getBoundingClientRect()
    return words.getBoundingClientRect().right - (button?.right ?? 0)
  })
  expect(beyond).toBeLessThanOrEqual(0)
  expect(await chat.dock.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
})

for (const look of few(LOOKS, 0)) {
  test(`[U406] a change of eight lines fits a phone, with its file and what decides on it (${JSON.stringify(look)})`, async ({
    hub,
    visit,
  }) => {
    const approval = { tool_name: 'Edit', input: JSON.stringify(EDIT) }
    await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval } as Body])
    const chat = await visit('/', { ...TALL, ...look })
    await chat.canAllow()
    for (const text of [PATH, '- const one = a()', '+ return two', '+2 −2'])
      await expect(chat.dock.getByText(text).first()).toBeInViewport({ ratio: 1 })
    await expect(chat.dock).not.toContainText('old_string')
    await expect(chat.dock.locator('[data-line]').first()).toHaveAttribute('data-line', '')
    for (const name of ['Allow once', 'Deny'])
      await expect(chat.dock.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
  })
}

/** All of the card is on screen: nobody scrolls, and what allows it wakes by itself. */
async function isWhole(chat: Chat, names: (string | RegExp)[]) {
  await chat.dock.getByRole('button', { name: names[0] }).click({ trial: true })
  await expect(chat.dock).not.toContainText('Scroll to the end')
  for (const name of names) {
    const button = chat.dock.getByRole('button', { name })
    await expect(button).toBeInViewport({ ratio: 1 })
    await expect(button).toHaveAttribute('aria-disabled', 'false')
  }
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(chat.page.viewportSize()?.width)
  expect(await violations(chat.page)).toEqual([])
}

for (const look of few([TALL, LOW, WIDE], 1)) {
  const size = `${look.width} × ${look.height}`

  test(`[U512] each of several calls is decided on one screen, with all that it changes (${size})`, async ({
    hub,
    visit,
  }) => {
    const ask = (file: string): Body => {
      const approval = { tool_name: 'Edit', input: JSON.stringify({ ...EDIT, file_path: file }) }
      return { kind: 'question', by: 'claude', text: 'May I?', approval }
    }
    await hub.record(
      'work',
      ['a.ts', 'b.ts', 'c.ts'].map((name) => ask(PATH.replace('side-bar.test.ts', name))),
    )
    const chat = await visit('/', look)
    const next = chat.dock.getByRole('button', { name: 'Next question' })
    for (const place of [1, 2, 3]) {
      await expect(chat.dock).toContainText(`${place} of 3`)
      for (const text of ['import { a } from "./a"', '- const one = a()', '+ return two', '}'])
        await expect(chat.dock.getByText(text).last()).toBeInViewport({ ratio: 1 })
      await isWhole(chat, [/^Allow once/, 'Deny'])
      if (place < 3) await next.click()
    }
    await chat.dock.getByRole('button', { name: /^Allow once/ }).click()
    await expect.poll(async () => (await hub.told('work')).at(-1)).toMatchObject({ outcome: 'approved' })
    await expect(chat.dock).toContainText('1 of 2')
    await isWhole(chat, [/^Allow once/, 'Deny'])
  })

  test(`[U512] [U513] [U514] a driven call is decided as any other, and what it wants keeps the name of its file (${size})`, async ({
    hub,
    visit,
  }) => {
    await hub.say('work', ['Change it'])
    const orchestrator = await connectOrchestrator(hub.url)
    const agent = await orchestrator.drive('work')
    await agent.show({ state: 'working', turn_at: Date.now() })
    const changes = [{ path: PATH, old_text: OLD, new_text: EDIT.new_string }]
    const options = [
      { id: 'yes', label: 'Allow', kind: 'allow_once' as const },
      { id: 'no', label: 'Reject', kind: 'reject_once' as const },
    ]
    for (const call_id of ['one', 'two']) {
      const call = { tool_name: 'edit', title: `Edit \`${PATH}\``, call_id }
      const tool_args = JSON.stringify({ path: PATH })
      await agent.event('tool_call', { ...call, tool_args })
      await agent.ask(call_id, call.title, { ...call, input: tool_args, options, changes })
    }
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('1 of 2')
    await isWhole(chat, ['Allow', 'Reject'])
    await expect(chat.dock.getByText(PATH, { exact: true }).last()).toBeInViewport({ ratio: 1 })
    await expect(chat.dock.locator('dt')).toHaveCount(0)
    const [allow, reject] = await Promise.all(
      ['Allow', 'Reject'].map((name) => chat.dock.getByRole('button', { name }).boundingBox()),
    )
    expect(allow?.y).toBe(reject?.y)
    await expect(chat.timeline.getByText(`Edit ${PATH}`, { exact: true })).toHaveCount(2)
    for (const place of [chat.dock.getByRole('paragraph').first(), chat.bubble('Waiting for you').first()])
      expect(await place.getByTitle(PATH).evaluate(showsEnd)).toBe(true)
    await chat.dock.getByRole('button', { name: 'Allow' }).click()
    const record = chat.bubble('Allowed by you: “Allow”')
    await expect(record).toHaveCount(1)
    expect(await record.getByTitle(PATH).evaluate(showsEnd)).toBe(true)
    const cut = await record.locator('bdi.state').evaluate((node) => node.scrollWidth - node.clientWidth)
    if (look === WIDE) expect(cut).toBe(0)
    await isWhole(chat, ['Allow', 'Reject'])
    await orchestrator.close()
  })
}

/** Runs in the page. All of it is in its line, or what is cut is its start. */
function showsEnd(node: HTMLElement): boolean {
  const text = node.getBoundingClientRect()
  const words = (node.firstElementChild ?? node).getBoundingClientRect()
  return text.width > 30 && words.right <= text.right + 1
}
