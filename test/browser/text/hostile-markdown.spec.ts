import type { Body } from '../../../src/protocol/entries/entry.ts'
import { HOSTILE_MARKDOWN } from '../../support/fuzz/hostile-markdown.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'

const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })

/** Almost as long as what is read as Markdown, and twice as long as that. */
const SIZES = [49_500, 100_000]
const TEXTS = Object.entries(HOSTILE_MARKDOWN)
/** So many share a hub and a page. */
const GROUP = 15

for (let from = 0; from < TEXTS.length; from += GROUP) {
  const part = TEXTS.slice(from, from + GROUP)
  test(`[S81] the page draws them and answers: ${part.map(([name]) => name).join(', ')}`, async ({ hub, visit }) => {
    test.slow()
    const texts = part.flatMap(([, make], turn) => few(SIZES, turn).map((size) => told(make(size))))
    await hub.record('work', [told('Before'), ...texts, told('After')])
    const chat = await visit('/', { height: 2000 })
    await expect(chat.bubble('After')).toBeInViewport()
    await chat.scrollToTop()
    await expect(chat.bubble('Before')).toBeInViewport()
    await chat.composer.fill('Still here')
    await hub.report('work', ['Later'])
    const toEnd = async () => {
      await chat.timeline.press('End')
      await expect(chat.bubble('Later')).toBeInViewport({ timeout: 1000 })
    }
    await expect(toEnd).toPass()
    await expect(chat.composer).toHaveValue('Still here')
  })
}
