import type { Locator } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { approver } from '../support/approver.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'

/** What an agent asks, and what the person answers. */
type Asked = { of: string } & (
  | { text: string; writes: string }
  | { text: string; offers: [string, string]; takes: 0 | 1 }
  | { command: string; denied?: true }
)

/** All at once: no two have the same answer, so that each agent can tell its own. */
const ALL: Asked[] = [
  { of: 'docs', text: 'What shall the page be called?', writes: 'Getting started' },
  { of: 'tests', command: 'npm test -- --shard=1/4' },
  { of: 'api', text: 'Publish version 2.4 now?', offers: ['Publish it', 'Wait for Monday'], takes: 1 },
  { of: 'build', command: 'rm -rf dist\nmkdir dist\nnode build.js --out dist' },
  { of: 'mail', text: 'Whom shall I write to?', writes: 'Everyone who has an order open' },
  { of: 'search', text: 'Which index is the better one?', offers: ['By words', 'By letters'], takes: 0 },
  { of: 'backup', command: 'rm -rf /srv/backup', denied: true },
  { of: 'prices', text: 'How is a half cent rounded?', writes: 'To the even one' },
  { of: 'login', text: 'Is a second factor needed?', offers: ['Always', 'Never'], takes: 0 },
  { of: 'maps', text: 'Where does the map begin?', writes: 'At the harbour' },
]
const BEGUN: Body = { kind: 'message', author: 'assistant', by: 'agent', text: 'I have begun.' }
const MOST = 2

const title = (chat: Chat) => chat.page.getByRole('heading', { level: 1 })
const button = (chat: Chat, name: string | RegExp) => chat.page.getByRole('button', { name })
const end = (chat: Chat) => chat.page.getByRole('region', { name: 'Nothing needs you' })
/** Where this call is decided: in its conversation, or over the page. */
const card = (chat: Chat, command: string) =>
  chat.dock.or(chat.page.getByRole('dialog', { name: /wants/ })).filter({ hasText: command })

interface Person {
  begin(): Promise<void>
  answer(asked: Asked): Promise<void>
  leave(): Promise<void>
  /** How often a key was pressed or the page tapped so far; the letters of what is written do not count. */
  count(): number
}

/** Waits until the person sees what is asked; a call can be decided then. */
async function read(chat: Chat, asked: Asked) {
  if (!('command' in asked)) {
    await expect(title(chat)).toHaveText(asked.of)
    if ('offers' in asked) await expect(chat.dock).toContainText(asked.text)
    return await expect(chat.bubble(asked.text)).toBeInViewport()
  }
  await expect(card(chat, asked.command.split('\n').at(-1) ?? '')).toBeVisible()
  await chat.canAllow()
}

function byKeyboard(chat: Chat): Person {
  const { keyboard } = chat.page
  let count = 0
  return { begin: () => press('N'), answer, leave: () => press('Enter'), count: () => count }

  async function press(key: string) {
    count++
    await keyboard.press(key)
  }

  async function answer(asked: Asked) {
    if ('writes' in asked) {
      await expect(chat.composer).toBeFocused()
      await keyboard.type(asked.writes)
      return await press('Enter')
    }
    await expect(chat.composer).not.toBeFocused()
    if ('offers' in asked) return await press(`${asked.takes + 1}`)
    await press(asked.denied ? 'd' : 'a')
  }
}

function byThumb(chat: Chat): Person {
  let count = 0
  return { begin, answer, leave: () => tap(button(chat, 'Back to where you were')), count: () => count }

  async function tap(target: Locator) {
    count++
    await target.tap()
  }

  async function begin() {
    await tap(button(chat, /^Show the conversations/))
    await tap(button(chat, `Answer all (${ALL.length})`))
  }

  async function answer(asked: Asked) {
    if ('offers' in asked) return await tap(button(chat, asked.offers[asked.takes]))
    if ('command' in asked) return await tap(button(chat, asked.denied ? /^Deny(?! with)/ : 'Allow once'))
    await tap(chat.composer)
    await chat.page.keyboard.type(asked.writes)
    await tap(button(chat, 'Send'))
  }
}

/** The agents ask, one after the other, and wait: what each of them is told is on its way. */
async function askAll({ hub, connect }: Pick<Fixtures, 'hub' | 'connect'>): Promise<Promise<unknown>[]> {
  const told: Promise<unknown>[] = []
  await hub.recordAll(Object.fromEntries(ALL.map(({ of }) => [of, [BEGUN]])))
  for (const asked of ALL) {
    if ('command' in asked) {
      const ask = await approver(hub, asked.of)
      told.push(ask('Bash', { command: asked.command }))
    } else {
      const agent = await connect(asked.of)
      told.push(agent.ask(asked.text, 'offers' in asked ? asked.offers : undefined))
    }
    // Its test may end before it.
    told.at(-1)?.catch(() => {})
    await expect.poll(async () => (await hub.told(asked.of)).at(-1)).toMatchObject({ kind: 'question' })
  }
  return told
}

/** What comes of it at the agent. */
function resultOf(asked: Asked): unknown {
  if ('writes' in asked) return asked.writes
  if ('offers' in asked) return asked.offers[asked.takes]
  return asked.denied ? undefined : { command: asked.command }
}

for (const [how, look, personAt] of [
  ['keyboard', { width: 1440, height: 900 }, byKeyboard],
  ['thumb', { width: 390, height: 844, touch: true }, byThumb],
] as const) {
  test(`[U443] ten agents are answered by ${how} alone, with two presses or fewer for each, and each has its own answer`, async ({
    hub,
    connect,
    visit,
  }) => {
    test.slow()
    await hub.say('quiet', ['Hello'])
    const chat = await visit('/#/c/quiet', look)
    await expect(chat.composer).toBeVisible()
    const told = await askAll({ hub, connect })
    const person = personAt(chat)
    await person.begin()
    for (const asked of ALL) {
      await read(chat, asked)
      const before = person.count()
      await person.answer(asked)
      expect(person.count() - before, asked.of).toBeLessThanOrEqual(MOST)
    }
    await expect(end(chat)).toContainText(`${ALL.length} conversations go on`)
    await person.leave()
    await expect(title(chat)).toHaveText('quiet')
    expect(await Promise.all(told)).toEqual(ALL.map(resultOf))
    for (const { of } of ALL) {
      expect((await hub.told(of)).filter(({ kind }) => kind === 'settlement')).toHaveLength(1)
    }
    expect(person.count()).toBeLessThanOrEqual(MOST * ALL.length)
  })
}
