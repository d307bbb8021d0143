import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { freePort, startParley } from '../support/process.ts'
import { connect } from '../support/socket.ts'

const ADA = { authorization: 'Bearer of-ada-0123456789' }
const PARLEY_TOKENS = 'ada:human:of-ada-0123456789'

function sentence(data: string): string {
  const told = `${data} is closed by PARLEY_TOKENS, which are missing here: start parley serve with them, or make a token with parley token create NAME --role human; to open it to all your programs instead, delete ${join(data, 'closed')}`
  return `${told}\n`
}

/** What comes of an attempt to speak for a person. */
async function post(url: string, headers: Record<string, string> = {}): Promise<number | 'nobody'> {
  const body = JSON.stringify({
    server: 'human',
    tool: 'chat_human_post',
    arguments: { session_id: 'other', mime: 'text/plain', content: 'All' },
  })
  return fetch(`${url}/api/mcp/call`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 'nobody',
  )
}

/** Its hub was killed. */
async function closedFolder() {
  const data = await temporaryFolder()
  const run = (...args: string[]) => startParley([...args, '--data', data])
  const hub = startParley(['serve', '--port', '0', '--data', data], { PARLEY_TOKENS })
  await hub.url
  hub.child.kill('SIGKILL')
  await hub.ended
  return { data, run }
}

/** What closes the folder is in it from the start on: in good order its hub ends with `PARLEY_SOAK`. */
const ENDS = SOAK > 1 ? (['SIGKILL', 'SIGTERM'] as const) : (['SIGKILL'] as const)

test.each(ENDS)(
  '[S34] nobody opens a folder without the tokens that closed it, after %s',
  { timeout: 180_000 },
  async (end) => {
    const data = await temporaryFolder()
    const env = { PARLEY_DATA: data, PARLEY_SESSION: 'work' }
    // Nobody else is given it while it is free.
    const port = `${await freePort()}`
    const hub = startParley(['serve', '--port', port, '--data', data], { PARLEY_TOKENS })
    const url = await hub.url
    const agent = await agentOverStdio({ env })
    const person = await connect(url, '/ws?session=work', undefined, ADA)
    const asked = agent.call({ text: 'Deploy?' })
    await person.next('agentMessage')
    expect([await post(url), await post(url, ADA)]).toEqual([401, 200])
    hub.child.kill(end)
    await hub.ended
    await agent.said(/is closed by PARLEY_TOKENS/)
    expect(await post(url)).toBe('nobody')
    const commands = [['serve', '--port', port], ['open'], ['stdio'], ['demo'], ['run', '--command', 'cat']]
    const refused = commands.map((args) => startParley([...args, '--data', data]).ended)
    expect(await Promise.all(refused)).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: sentence(data) })))
    expect(await post(url)).toBe('nobody')
    const next = await startParley(['serve', '--port', port, '--data', data], { PARLEY_TOKENS }).url
    const back = await connect(next, '/ws?session=work', undefined, ADA)
    const { pendingAckId: id } = await back.next('connected')
    back.say({ type: 'ack', id, message: 'Yes' })
    expect((await asked).reply).toBe('Yes')
    expect(await post(next)).toBe(401)
  },
)

test('[S34] a token of the folder is one, too', async () => {
  const { data, run } = await closedFolder()
  expect((await run('token', 'create', 'bob', '--role', 'human').ended).code).toBe(0)
  const url = await run('serve', '--port', '0').url
  expect([await post(url), await post(url, ADA)]).toEqual([401, 401])
  process.kill(hubOf(data).pid, 'SIGKILL')
  await hubOf(data).ended()
  // Also when none of them counts any more.
  expect((await run('token', 'revoke', 'bob').ended).code).toBe(0)
  const closed = run('serve', '--port', '0')
  expect(await post(await closed.url)).toBe(401)
  closed.child.kill('SIGKILL')
  await closed.ended
  await rm(join(data, 'tokens.json'))
  expect((await run('serve', '--port', '0').ended).stderr).toBe(sentence(data))
  await rm(join(data, 'closed'))
  expect(await post(await run('serve', '--port', '0').url)).toBe(200)
})

test('[S34] turning protection off does not open it', async () => {
  const { data, run } = await closedFolder()
  expect((await run('status').ended).stdout).toMatch(/^It is protected/m)
  expect((await run('protect').ended).code).toBe(0)
  const url = await run('serve', '--port', '0').url
  expect(await run('protect', '--off').ended).toEqual({ code: 1, stdout: '', stderr: sentence(data) })
  expect(await post(url)).toBe(401)
})

test('[S34] tokens that are none close nothing', async () => {
  const data = await temporaryFolder()
  const wrong = await startParley(['serve', '--port', '0', '--data', data], { PARLEY_TOKENS: 'ada:s3cret' }).ended
  expect(wrong.code).toBe(2)
  expect(existsSync(join(data, 'closed'))).toBe(false)
  const url = await startParley(['serve', '--port', '0', '--data', data], { PARLEY_TOKENS: ' , ' }).url
  expect(await post(url)).toBe(200)
  expect(existsSync(join(data, 'closed'))).toBe(false)
})
