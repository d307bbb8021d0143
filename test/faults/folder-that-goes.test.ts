import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lives } from '../../scripts/processes.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, waiting } from '../support/page.ts'

const GOES: [how: string, go: (data: string) => void][] = [
  ['removed', (data) => rmSync(data, { recursive: true })],
  [
    'replaced',
    (data) => {
      renameSync(data, `${data}.away`)
      mkdirSync(data, { mode: 0o700 })
    },
  ],
  ['emptied of its log', (data) => rmSync(join(data, 'parley.db'))],
]

test.each(GOES)('[S98] a hub whose folder is %s answers what waits with that, refuses, and ends', async (_, go) => {
  const data = join(await temporaryFolder(), 'data')
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const url = (await agent.url) ?? ''
  const { reply } = await waiting(agent, openPage(url), 'Deploy?')
  const { pid } = hubOf(data)
  go(data)
  const gone = `${data} was removed or replaced while Parley used it, and this hub ends; start it again`
  await expect(reply).rejects.toThrow(gone)
  const body = JSON.stringify({ mime: 'text/plain', content: 'Lost?' })
  const post = fetch(`${url}/api/tools/human_chat_human_post`, { method: 'POST', body })
  expect(await post.then(({ status }) => status).catch(() => 'nobody')).not.toBe(200)
  await eventually(() => expect(lives(pid)).toBe(false))
  // Nothing of it is left where another hub may be by now.
  expect(existsSync(join(data, 'hub.sock'))).toBe(false)
})

test('[S98] a hub that ends because its folder was replaced leaves the next one alone', async () => {
  const data = join(await temporaryFolder(), 'data')
  const before = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  await before.url
  const { pid } = hubOf(data)
  rmSync(data, { recursive: true })
  const after = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const page = openPage((await after.url) ?? '')
  await eventually(() => expect(lives(pid)).toBe(false))
  const third = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'more' } })
  expect(await third.url).toBe(await after.url)
  const { reply, question } = await waiting(after, page, 'Deploy?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
})
