import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, type Fixtures, test } from '../support/fixture.ts'
import { watchShifts } from '../support/shifts.ts'
import type { Look } from '../support/windows.ts'

const by = 'claude'
const TALK = Array.from({ length: 30 }, (_, n): Body => {
  return { kind: 'message', author: n % 3 ? 'assistant' : 'user', by, text: `Number ${n}: ${'some words '.repeat(n)}` }
})
const OTHER: Body[] = [{ kind: 'message', author: 'assistant', by, text: 'Nothing new here' }]

/** A page that is drawn, and what to ask whether it is as it was. */
async function drawn({ hub, visit }: Pick<Fixtures, 'hub' | 'visit'>, look: Look) {
  await hub.recordAll({ quiet: OTHER, other: OTHER, work: TALK })
  const chat = await visit('/#/c/work', look)
  await expect(chat.composer).toBeVisible()
  await expect(chat.bubble('Number 29')).toBeInViewport()
  // Its rows are measured, and none of them moves any more.
  await expect.poll(chat.distance).toBeLessThanOrEqual(1)
  await chat.scroll()
  // What a hand is in stays as it is; otherwise who works and who waits moves up, which is what the list is for.
  if (!look.touch) await chat.list.hover()
  const shifts = await watchShifts(chat.page)
  return { chat, isStill }

  async function isStill(what: string) {
    const moved = await shifts.take()
    const large = moved.filter(({ value }) => value >= 0.001)
    expect(large, `${what}: ${JSON.stringify(moved, undefined, 1)}`).toEqual([])
  }
}

const LOOKS: Look[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true },
]

for (const look of few(LOOKS, 1)) {
  test(`[U184] nothing on screen moves when something arrives (${look.width} px)`, async ({ hub, connect, visit }) => {
    test.slow()
    const { chat, isStill } = await drawn({ hub, visit }, look)
    await hub.report('work', ['A message'])
    await expect(chat.bubble('A message')).toBeVisible()
    await isStill('a message')

    await hub.act('work', 'begins npm test')
    await expect(chat.timeline.getByText(/running\s+[1-9]\d* s/)).toBeVisible()
    await isStill('a step')

    await hub.say('new', ['A conversation'])
    await hub.report('work', ['Said after that'])
    await expect(chat.bubble('Said after that')).toBeVisible()
    await isStill('a conversation')

    const agent = await connect('other')
    const elsewhere = agent.ask('Elsewhere?')
    await expect(chat.page).toHaveTitle(/^\(1\)/)
    await isStill('a question elsewhere')

    const worker = await connect('work')
    await isStill('an agent that comes')
    const here = worker.ask('Which one?', ['Left', 'Right'])
    await expect(chat.dock).toBeVisible()
    await isStill('a question')

    await Promise.all([worker.close(), agent.close()])
    await Promise.allSettled([elsewhere, here])
    await isStill('agents that go')
  })

  test(`[U184] nothing on screen moves when an approval arrives (${look.width} px)`, async ({
    hub,
    connect,
    visit,
  }) => {
    const { chat, isStill } = await drawn({ hub, visit }, look)
    const agent = new Client({ name: by, version: '1' })
    await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp/agent?session=work', hub.url)))
    const input = { command: 'npm test' }
    const approved = agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input } })
    await expect(chat.dock).toContainText('npm test')
    await isStill('an approval')

    const inDock = () => chat.dock.locator('p, button:not([aria-label$=question])').evaluateAll(placesOf)
    const before = await inDock()
    const another = await connect('work')
    const asked = another.ask('And this?')
    await expect(chat.dock).toContainText('1 of 2')
    await isStill('a second question')
    expect(await inDock()).toEqual(before)
    await Promise.all([agent.close(), another.close()])
    await Promise.allSettled([approved, asked])
  })
}

/** Runs in the page. */
function placesOf(elements: Element[]): string[] {
  return elements.map((element) => {
    const { x, y } = element.getBoundingClientRect()
    return `${element.textContent} ${element.ariaLabel} ${Math.round(x)},${Math.round(y)}`
  })
}
