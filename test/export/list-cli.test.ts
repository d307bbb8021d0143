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
    expect(await names('--agent', 'claude')).toEqual(['other'])
    expect(await names('--folder', '/nowhere')).toEqual([])
    // As in the page.
    expect(await names('is:waiting', 'agent:Claude Code', 'since:today')).toEqual(['other'])
    expect([await names('story'), await names('before:yesterday'), await names('story', 'is:waiting')]).toEqual([
      ['old'],
      [],
      [],
    ])
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
  for (const [wrong, problem] of [
    [
      ['--since', 'soon'],
      'Invalid time soon; write monday, 2026-11-16, 2026-11-16T14:30 or 12h; see parley list --help',
    ],
    [
      ['since:soon'],
      'since:soon is no time; write since:monday, since:2026-11-16 or since:12h; see parley list --help',
    ],
    [['agnet:codex'], 'Unknown filter agnet:; did you mean agent:codex?; see parley list --help'],
    [['is:open'], 'Unknown state is:open; write is:waiting; see parley list --help'],
    [['folder:'], 'folder: needs a value, as in folder:website; see parley list --help'],
  ] as const)
    expect(await list(data, ...wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
})
