import type { Body } from '../../../src/protocol/entries/entry.ts'
import { expect, test } from '../support/fixture.ts'

function want(tool_name: string): Body {
  const input = JSON.stringify({ path: `${tool_name}.txt`, content: 'line '.repeat(60_000) })
  return { kind: 'question', by: 'claude', text: `About ${tool_name}`, approval: { tool_name, input } }
}

test('[S68] with many large approvals open the page opens, and reads the arguments of the one that it shows', async ({
  hub,
  visit,
}) => {
  const later = Array.from({ length: 100 }, (_, n): Body => {
    return { kind: 'message', author: 'user', by: 'me', text: `${n}` }
  })
  await hub.record('work', [...['One', 'Two', 'Three', 'Four'].map(want), ...later])
  const chat = await visit('/')
  await expect(chat.dock).toContainText('Claude wants to use One')
  const values = chat.dock.getByRole('group', { name: 'Arguments' }).getByRole('definition')
  await expect(values.first()).toHaveText(/^One\.txt/)
  await chat.dock.getByRole('button', { name: 'Next question' }).click()
  await expect(chat.dock).toContainText('Claude wants to use Two')
  await expect(values.first()).toHaveText(/^Two\.txt/)
})
