import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const PATH = '/home/ada/projects/site/src/navigation/side-bar.test.ts'
const OLD = 'import { a } from "./a"\n\nexport function run() {\n  const one = a()\n  return one\n}\n'
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
    const input = { file_path: PATH, old_string: OLD, new_string: OLD.replaceAll('one', 'two') }
    const approval = { tool_name: 'Edit', input: JSON.stringify(input) }
    await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval } as Body])
    const chat = await visit('/', { width: 390, height: 844, touch: true, ...look })
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
