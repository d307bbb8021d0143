import { expect, test } from 'vitest'
import { ask } from '../support/chat.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

const list = (data: string, ...flags: string[]) => startParley(['list', ...flags, '--data', data]).ended

test('[C263] conversations are listed newest first, narrowed and as JSON, with a hub and without', async () => {
  const data = await temporaryFolder()
  const { view, close } = await startHubWithSocket(data)
  await view.say('old', { text: 'Hello' })
  await ask(view, { by: 'codex', text: 'Deploy\u001b[2J now?' }, 'waits')
  await view.rename('old', 'An old story')
  await ask(view, { by: 'claude-code', text: 'Which one?' }, 'other')
  const names = async (...flags: string[]) => {
    const { stdout } = await list(data, '--json', ...flags)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).session_id)
  }
  const isRight = async () => {
    expect(await names()).toEqual(['other', 'old', 'waits'])
    expect(await names('--needs-you')).toEqual(['other', 'waits'])
    expect(await names('--agent', 'cod*')).toEqual(['waits'])
    expect(await names('--folder', '/nowhere')).toEqual([])
    expect([await names('--since', '1h'), await names('--until', '2020-01-01')]).toEqual([
      ['other', 'old', 'waits'],
      [],
    ])
    const { stdout } = await list(data)
    expect(stdout).toMatch(/^last +name +title +agent +folder +open +what happened\n/)
    expect(stdout).toMatch(/ old +An old story +- +- +- +Hello\n/)
    expect(stdout).toMatch(/ waits +- +codex +- +1 +Deploy\ufffd\[2J now\?\n/)
  }
  await isRight()
  await close()
  await isRight()
})

test('[C263] what is asked for wrongly, or not there, is one sentence', async () => {
  const data = await temporaryFolder()
  expect(await list(data)).toMatchObject({
    code: 1,
    stderr: `${data} holds no log; choose another folder with --data\n`,
  })
  expect(await list(data, '--since', 'monday')).toMatchObject({ code: 2 })
})
