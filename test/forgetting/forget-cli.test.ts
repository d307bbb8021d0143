import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { completionOf } from '../../src/cli/completion.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'

const SECRET = 'zqjxkvword'
const run = (data: string, ...args: string[]) => startParley([...args, '--data', data]).ended

test('[C106] forget removes a conversation from the hub that runs, by its name or title, and every page drops it', async () => {
  const data = await temporaryFolder()
  const { view, url } = await startHubWithSocket(data)
  await view.say('work', { text: SECRET })
  await view.say('home', { text: SECRET })
  await view.rename('home', 'At home')
  const page = await connectPage(url)
  expect(await run(data, 'forget', 'work', '--yes')).toEqual({
    code: 0,
    stdout: 'work is forgotten, with everything that was said in it\n',
    stderr: '',
  })
  expect(await page.next('forgotten')).toMatchObject({ conversation: 'work' })
  expect((await run(data, 'forget', 'At home', '-y')).code).toBe(0)
  expect(await page.next('forgotten')).toMatchObject({ conversation: 'home' })
  for (const file of ['parley.db', 'parley.db-wal']) expect(readFileSync(join(data, file)).includes(SECRET)).toBe(false)
})

test('[C107] forget does the same in a folder that no hub uses', async () => {
  const data = await temporaryFolder()
  const { view, close } = await startHub(data)
  await view.say('work', { text: SECRET })
  await view.say('home', { text: 'Hello' })
  await close()
  expect(await run(data, 'forget', 'work', '--yes')).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(data, 'parley.db')).includes(SECRET)).toBe(false)
  const again = await startHub(data)
  expect((await again.view.conversations({ limit: 9 })).map(({ id }) => id)).toEqual(['home'])
})

test('[C108] forget asks first, and where nobody can be asked it wants --yes and changes nothing', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  await view.say('work', { text: 'Hello' })
  const { code, stderr } = await run(data, 'forget', 'work')
  expect([code, stderr]).toEqual([2, expect.stringMatching('add --yes')])
  expect(await view.conversations({ limit: 9 })).toHaveLength(1)
  for (const shell of ['bash', 'zsh', 'fish']) expect(completionOf(shell)).toMatch(/forget.*yes/s)
})

test('[C109] forget says what may have been meant by a name that nobody knows, and where there is no log', async () => {
  const data = await temporaryFolder()
  expect(await run(data, 'forget', 'work', '--yes')).toMatchObject({
    code: 1,
    stderr: `${data} holds no log; choose another folder with --data\n`,
  })
  const { view } = await startHubWithSocket(data)
  await view.say('website', { text: 'Hello' })
  expect(await run(data, 'forget', 'webstie', '--yes')).toMatchObject({
    code: 1,
    stderr: 'Unknown conversation "webstie"; did you mean "website"?\n',
  })
  expect((await run(data, 'forget')).code).toBe(2)
  expect(await run('memory', 'forget', 'work', '--yes')).toMatchObject({ code: 2 })
  expect(await view.conversations({ limit: 9 })).toHaveLength(1)
})
