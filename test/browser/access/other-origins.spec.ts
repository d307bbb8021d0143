import { connectAgent } from '../support/agent.ts'
import { test as base, expect } from '../support/fixture.ts'
import { frontendOn, serveFrontend } from '../support/frontend.ts'
import { startHub } from '../support/hub-process.ts'

const test = base.extend<{ allowed: boolean; origin: string }>({
  /** Whether the hub lets pages of the frontend's origin in. */
  allowed: [true, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it so.
  origin: async ({}, use) => {
    const { origin, close } = await serveFrontend()
    await use(origin)
    await close()
  },
  hub: async ({ allowed, origin }, use) => {
    const hub = await startHub({ given: allowed ? { 'allow-origin': origin } : {} })
    await use(hub)
    await hub.close()
  },
})

test.describe('a page of an origin that nobody named', () => {
  test.use({ allowed: false })

  test('[S29] is refused whatever it tries, and nothing is said', async ({ hub, page, origin }) => {
    await page.goto(origin)
    const frontend = frontendOn(page, hub.url)
    expect(await frontend.answer('Yes')).toBe('refused')
    expect(await frontend.post('Hello')).toBe('refused')
    expect(await frontend.tools()).toBe('refused')
    expect(await frontend.postWithCookie('Hello')).toBe(403)
    await hub.say('chat', ['Nobody else was here'])
    expect(await hub.told('chat')).toMatchObject([{ text: 'Nobody else was here' }])
  })
})

test('[S29] a page of an allowed origin answers over /ws, posts by REST and speaks MCP', async ({
  hub,
  connect,
  page,
  origin,
}) => {
  await page.goto(origin)
  const frontend = frontendOn(page, hub.url)
  const agent = await connect('work')
  const reply = agent.ask('What would you like to do today?')
  expect(await frontend.answer('I’d like to analyze some data.')).toEqual({
    question: 'What would you like to do today?',
    protocol: 'router',
  })
  expect(await reply).toBe('I’d like to analyze some data.')
  expect(await frontend.post('Hello')).toMatchObject({ status: 200 })
  expect(await hub.told('chat')).toMatchObject([{ kind: 'message', text: 'Hello' }])
  expect(await frontend.tools()).toContain('chat_human_post')
})

test('[S29] where there are tokens it needs one, and that its browser is signed in does not help', async ({
  hub,
  page,
  origin,
}) => {
  const token = await hub.token('create', 'ada', '--role', 'human')
  await page.goto(await hub.token('link', 'ada'))
  await page.getByRole('button', { name: /sign in/i }).click()
  await expect(page.getByText('Welcome to Parley')).toBeVisible()
  await page.goto(origin)
  const signedIn = frontendOn(page, hub.url)
  expect(await signedIn.answer('Yes')).toBe('refused')
  expect(await signedIn.postWithCookie('Hello')).toBe(401)
  const error = 'This hub requires a token'
  expect(await signedIn.post('Hello')).toEqual({ status: 401, error })
  expect(await signedIn.tools()).toContain(error)
  const frontend = frontendOn(page, hub.url, token)
  expect(await frontend.post('Hello')).toMatchObject({ status: 200 })
  expect(await frontend.tools()).toContain('chat_human_post')
  const agent = await connectAgent(hub.url, 'work', await hub.token('create', 'codex', '--role', 'agent'))
  const reply = agent.ask('Deploy now?')
  expect(await frontend.answer('Yes')).toEqual({ question: 'Deploy now?', protocol: 'router' })
  expect(await reply).toBe('Yes')
  await agent.close()
})
