import { expect, test } from './fixture.ts'
import { violations } from './violations.ts'

const MARKDOWN =
  '### Plan\n\n- [x] read\n- [ ] write\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```ts\nconst x = 1\n```\n\n> quote with [a link](https://example.com) and `code`'

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light'

  test(`[U21] the empty page has no accessibility violation (${theme})`, async ({ visit }) => {
    const chat = await visit('/', { dark })
    await expect(chat.page.getByText('Nobody is talking yet')).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[U21] a conversation with its list has no accessibility violation (${theme})`, async ({
    hub,
    connect,
    visit,
  }) => {
    await hub.say('other', ['Hello'])
    await hub.say('work', [MARKDOWN])
    const [one, two] = [await connect('work'), await connect('work')]
    void one.ask('**First?** with `code`', ['Yes', 'No']).catch(() => {})
    const chat = await visit('/#/c/work', { dark })
    await expect(chat.bubble('First?')).toBeVisible()
    void two.ask('Second?').catch(() => {})
    await expect(chat.dock).toContainText('1 of 2')
    await chat.composer.fill('A draft')
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[U21] the drawer on a phone has no accessibility violation (${theme})`, async ({ hub, visit }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit('/', { dark, width: 390, height: 844, touch: true })
    await chat.page.getByRole('button', { name: 'Show the conversations' }).tap()
    await expect(chat.list).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U21] news is announced once, and what is only scrolled into view is not', async ({ hub, connect, visit }) => {
  await hub.say(
    'work',
    Array.from({ length: 40 }, (_, n) => `Line ${n}`),
  )
  const chat = await visit()
  const log = chat.page.getByRole('log')
  await expect(chat.bubble('Line 39')).toBeVisible()
  await chat.timeline.hover()
  await chat.page.mouse.wheel(0, -1500)
  await expect(chat.bubble('Line 39')).toBeHidden()
  await expect(log).toBeEmpty()
  const agent = await connect('work')
  void agent.ask('Something *new*?').catch(() => {})
  await expect(log).toHaveText(/asks: Something new\?$/)
})
