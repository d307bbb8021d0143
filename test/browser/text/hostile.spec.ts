import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'

const MEGABYTE = 1_000_000
/** Six times what drawing takes the processor, and far less than these took before they were told apart. */
const MOST_SECONDS = 5

const by = 'agent'
const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by, text })

const HOSTILE: Record<string, string> = {
  'a line of a megabyte': 'x'.repeat(MEGABYTE),
  'a megabyte of words': 'lorem ipsum '.repeat(MEGABYTE / 12),
  'quotes 10,000 deep': `${'>'.repeat(10_000)} deep`,
  'lists 10,000 deep': `${'- '.repeat(10_000)} deep`,
  'lists that go deeper line by line': Array.from({ length: 200 }, (_, n) => `${'  '.repeat(n)}- ${n}`).join('\n'),
  '100,000 links': '[a](https://a.b) '.repeat(100_000).slice(0, MEGABYTE),
  '2,900 links': '[a](https://a.b) '.repeat(2900),
  'a table of 25,000 cells': `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(8000)}`,
  'a table of 3,000 columns': ['|a', '|-', '|a'].map((cell) => `${cell.repeat(3000)}|`).join('\n'),
  'emphasis without end': '_a'.repeat(20_000),
  'a mailbox without end': `${'a'.repeat(40_000)}@`,
  '30,000 line breaks': `a${'\n'.repeat(30_000)}b`,
  'a code block of a megabyte': `\`\`\`\n${'x'.repeat(MEGABYTE - 10)}\n\`\`\``,
  'a code block of 20,000 lines': `\`\`\`ts\n${'const a = 1\n'.repeat(20_000)}\`\`\``,
  'tags within tags': '<b>'.repeat(1900),
  'marks upon marks': `z${'\u0334\u0335\u0336'.repeat(20_000)}`,
}

/** So many share a hub and a browser. */
const GROUP = 4

for (const part of groupsOf(Object.entries(HOSTILE), GROUP)) {
  const names = part.map(([name]) => name)
  test(`[U68] the page neither freezes nor widens, and goes on: ${names.join('; ')}`, async ({ hub, visit }) => {
    test.slow()
    await hub.recordAll(
      Object.fromEntries(part.map(([name, text]) => [name, [told('Before'), told(text), told('After')]])),
    )
    const chat = await visit('/', { width: 390, height: 844, touch: true })
    for (const name of names) {
      await test.step(name, async () => {
        const before = await worked(chat)
        await open(chat, name)
        await expect(chat.bubble('After')).toBeInViewport()
        await chat.scrollToTop()
        await expect(chat.bubble('Before')).toBeInViewport()
        expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
        expect(await chat.timeline.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
        await hub.report(name, ['Later'])
        // Where the end is before it has come is another place.
        const toEnd = async () => {
          await chat.timeline.press('End')
          await expect(chat.bubble('Later')).toBeInViewport({ timeout: 1000 })
        }
        await expect(toEnd).toPass({ timeout: 30_000 })
        expect((await worked(chat)) - before).toBeLessThan(MOST_SECONDS)
      })
    }
  })
}

const LINE = `${'x'.repeat(MEGABYTE - 4)}end.`
/** A page of the log has room for four. */
const ROWS: Record<string, Body[]> = {
  'what is said and done': [
    told(LINE),
    { kind: 'tool_call', by, tool_name: 'Bash', tool_args: JSON.stringify({ command: 'cat big' }) },
    { kind: 'tool_result', by, tool_name: 'Bash', result: LINE, success: true },
  ],
  'what is thought and told': [
    { kind: 'thinking', by, reasoning: LINE },
    { kind: 'progress', by, text: LINE },
    { kind: 'error', by, error: LINE },
  ],
}

for (const [name, rows] of Object.entries(ROWS)) {
  test(`[U68] a megabyte is shown whole when it is asked for, in any row, and nothing freezes: ${name}`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    await hub.record('work', [told('Before'), ...rows, told('After')])
    const chat = await visit('/', { height: 8000 })
    await expect(chat.bubble('After')).toBeInViewport()
    const before = await worked(chat)
    await chat.timeline.getByRole('group').locator('summary').first().press('Enter')
    const more = chat.timeline.getByRole('button', { name: 'Show all 1.0 MB' })
    const count = rows.filter((row) => JSON.stringify(row).includes(LINE)).length
    await expect(more).toHaveCount(count)
    for (let left = count; left > 0; left--) {
      // What is above may still grow, and move it away from under a pointer.
      await more.last().press('Enter')
      await expect(more).toHaveCount(left - 1)
    }
    await chat.timeline.press('Home')
    await expect(chat.bubble('Before')).toBeInViewport()
    await chat.timeline.press('End')
    await expect(chat.bubble('After')).toBeInViewport()
    expect((await worked(chat)) - before).toBeLessThan(MOST_SECONDS)
  })
}

test('[U68] text that turns around or is not seen stays in its place and is told as it is', async ({ hub, visit }) => {
  const turned = '\u202Eesrever\u202C'
  await hub.record('work', [
    told(`Turned ${turned} back`),
    told('\u200B\u200B\u200D\u2060'),
    told(`\`\`\`js\nif (a) { /* ${turned} */ }\n\`\`\``),
    { kind: 'tool_call', by: `age${turned}nt`, tool_name: `Ba${turned}sh`, tool_args: `{"command":"${turned}"}` },
    { ...told('Plain \u202Eturned'), mime: 'text/plain' } as Body,
    told('שלום עולם (hello)'),
    told('The end'),
  ])
  const chat = await visit()
  await expect(chat.bubble('The end')).toBeVisible()
  const articles = chat.timeline.getByRole('article')
  await expect(articles.nth(1).locator('.plain')).toHaveText('\\u200b\\u200b\\u200d\\u2060')
  await expect(articles.nth(2).locator('code')).toContainText('/* \\u202eesrever\\u202c */')
  await expect(chat.timeline.getByRole('group').first()).toContainText('Ba\\u202eesrever\\u202csh')
  await expect(chat.bubble('Plain')).toContainText('Plain \\u202eturned')
  const isolated = await articles
    .locator('.bubble')
    .evaluateAll((all) => all.map((bubble) => getComputedStyle(bubble).unicodeBidi))
  expect(new Set(isolated)).toEqual(new Set(['isolate']))
  const start = await chat
    .bubble('hello')
    .locator('p')
    .first()
    .evaluate((words) => getComputedStyle(words).direction)
  expect(start).toBe('rtl')
})

test('[U68] links lead only to the web and mail, whatever they are dressed as', async ({ hub, visit }) => {
  const attacks = [
    '[a](javascript:window.hacked=1)',
    '[a](JaVaScRiPt:window.hacked=1)',
    '[a](&#106;avascript:window.hacked=1)',
    '[a](java\tscript:window.hacked=1)',
    '[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
    '[a](vbscript:msgbox)',
    '[a](blob:https://example.com/1)',
    '[a](file:///etc/passwd)',
    '<javascript:window.hacked=1>',
    '[a]: javascript:window.hacked=1\n\n[a]',
    '![a](javascript:window.hacked=1)',
    '![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
    '<a href="https://example.com" onclick="window.hacked=1">a</a>',
    '<img src="x" onerror="window.hacked=1">',
    '<svg><script>window.hacked=1</script></svg>',
    '<math><mi xlink:href="javascript:window.hacked=1">a</mi></math>',
    '```html\n<script>window.hacked=1</script>\n```',
    '`<img src=x onerror=window.hacked=1>`',
    'https://example.com/?q=<script>window.hacked=1</script>',
  ]
  await hub.record('work', [...attacks.map(told), told('The end')])
  const chat = await visit('/', { height: 3000 })
  await expect(chat.bubble('The end')).toBeVisible()
  await expect(chat.timeline.locator('.hljs-tag').first()).toBeVisible()
  const protocols = await chat.timeline
    .locator('.markdown a[href]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  expect(protocols.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
  for (const link of await chat.timeline.locator('.markdown a:not([href])').all()) await link.click({ force: true })
  expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect(chat.timeline.locator('script, [onclick], [onerror], math, .markdown svg')).toHaveCount(0)
})

/** As if it came first: what another conversation cost does not count. */
async function open({ page }: Chat, conversation: string) {
  await page.evaluate((hash) => location.replace(hash), `#/c/${encodeURIComponent(conversation)}`)
  await page.reload()
}

/** What the page has taken of the processor so far, in seconds; what else the machine does is not in it. */
async function worked({ page }: Chat): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const time = metrics.find(({ name }) => name === 'ProcessTime')
  if (!time) throw new Error('The browser does not tell what the page took')
  return time.value
}

function groupsOf<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}
