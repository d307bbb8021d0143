import type { Body } from '../../../src/protocol/entries/entry.ts'
import { expect, test } from '../support/fixture.ts'

const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

/** Each takes what colours it minutes. */
const HOSTILE = ['[a]('.repeat(4500), '![a](b'.repeat(3000)]

test('[U226] colouring that takes too long is stopped, the page answers meanwhile, and other code gets its colours', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [...HOSTILE.map((code) => told(block('markdown', code))), told('The end')])
  const chat = await visit('/', { height: 3000 })
  await expect(chat.bubble('The end')).toBeVisible()
  await chat.composer.fill('Still here')
  await expect(chat.composer).toHaveValue('Still here')
  await hub.report('work', [block('ts', 'export const answer = 42'), block('markdown', '# Title\n\n[a](b)')])
  const frames = chat.timeline.locator('.code')
  await expect(frames).toHaveCount(4)
  await expect(frames.nth(2).locator('.hljs-keyword').first()).toHaveText('export')
  await expect(frames.nth(3).locator('.hljs-section')).toHaveText('# Title')
  for (const hostile of [frames.nth(0), frames.nth(1)]) {
    await expect(hostile.locator('code')).toContainText('[a](')
    await expect(hostile.locator('code span')).toHaveCount(0)
  }
})
