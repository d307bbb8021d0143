import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { until } from '../support/chat.ts'
import { LURE, squat } from '../support/faults/squatter.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, waiting } from '../support/page.ts'
import { startParley } from '../support/process.ts'
import { connect, firstMessage } from '../support/socket.ts'

/** A folder whose hub was killed after a question was answered, and who sits on its port now. */
async function killedHub(addresses?: string[]) {
  const data = await temporaryFolder()
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const page = openPage((await agent.url) ?? '')
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  await page.answer(question, 'Yes')
  await reply
  page.leave()
  const { pid, port } = hubOf(data)
  process.kill(agent.pid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await hubOf(data).ended()
  return { data, agent, port, squatter: await squat(port, addresses) }
}

test('[S32] no command of the owner goes to whoever answers at the port of a hub that was killed', {
  timeout: 90_000,
}, async () => {
  const { data, agent, port, squatter } = await killedHub()
  process.kill(agent.pid, 'SIGKILL')
  const run = (...args: string[]) => startParley([...args, '--data', data]).ended
  const alone = [
    ['status'],
    ['stop'],
    ['token', 'list'],
    ['mount', 'list'],
    ['mount', 'logs', 'x'],
    ['policy', 'check'],
  ]
  const told = await Promise.all(alone.map((args) => run(...args)))
  told.push(await run('export', 'work'))
  expect(told.at(-1)?.stdout).toContain('> Deploy?')
  for (const args of [['audit'], ['audit', 'verify'], ['policy', 'suggest'], ['forget', 'work', '--yes']])
    told.push(await run(...args))
  told.push(await startParley(['demo', '--data', data], { PORT: `${port}` }).ended)
  expect(told.at(-1)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Port \d+ is used by another program/) })
  const opened = await run('open')
  expect(opened.stdout).toMatch(/^http:\/\/localhost:\d+\n$/)
  expect(opened.stdout).not.toContain(`:${port}\n`)
  for (const { stdout, stderr } of [...told, opened]) expect(stdout + stderr).not.toContain(LURE)
  expect(squatter.visits()).toBe(0)
})

test.each([
  ['both addresses', undefined],
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
])(
  '[S32] [S33] an agent goes on with the next hub of its folder, whoever is at %s of the old one',
  async (_, addresses) => {
    const { data, agent, port, squatter } = await killedHub(addresses)
    const asked = agent.call({ text: 'And now?' })
    process.kill(agent.pid, 'SIGCONT')
    await until(() => hubOf(data).port !== port)
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${hubOf(data).port}/healthz`)).status).toBe(200)
    const person = await connect(`http://localhost:${hubOf(data).port}`, '/ws?session=work')
    const { pendingAckId: id } = await person.next('connected')
    person.say({ type: 'ack', id: id ?? (await person.next('agentMessage')).ack_id, message: 'Go on' })
    expect(await asked).toEqual({ reply: 'Go on' })
    expect(squatter.visits()).toBe(0)
  },
)

test('[S32] [C128] the demo and its runner go on by their folder, too', async () => {
  const data = await temporaryFolder()
  const hub = startParley(['serve', '--port', '0', '--data', data])
  const before = await connect(await hub.url, '/ws?session=demo')
  const demo = startParley(['demo', '--data', data], { PARLEY_DEMO_PACE: '0' })
  expect((await before.next('agentMessage')).text).toContain('I am a **demo agent**')
  const { port } = hubOf(data)
  process.kill(demo.child.pid ?? 0, 'SIGSTOP')
  hub.child.kill('SIGKILL')
  await hubOf(data).ended()
  const squatter = await squat(port)
  process.kill(demo.child.pid ?? 0, 'SIGCONT')
  await until(() => hubOf(data).port !== port)
  const url = `http://localhost:${hubOf(data).port}`
  const person = await connect(url, '/ws?dialect=timeline')
  person.say({ type: 'hello' })
  let { runners } = await person.next('welcome')
  while ((runners as unknown[]).length === 0) ({ runners } = await person.next('runners'))
  demo.child.kill('SIGTERM')
  const { code, stdout, stderr } = await demo.ended
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(LURE)
  expect(squatter.visits()).toBe(0)
})

test('[C128] where there are tokens the demo agent needs none, because it comes through the folder', async () => {
  const data = await temporaryFolder()
  const PARLEY_TOKENS = 'ada:human:of-ada-0123456789'
  const demo = startParley(['demo', '--data', data], { PARLEY_TOKENS, PARLEY_DEMO_PACE: '0' })
  const person = await connect(await demo.url, '/ws?session=demo', undefined, {
    authorization: 'Bearer of-ada-0123456789',
  })
  expect((await firstMessage(person)).text).toContain('I am a **demo agent**')
  const page = await connect(await demo.url, '/ws?dialect=timeline', undefined, {
    authorization: 'Bearer of-ada-0123456789',
  })
  page.say({ type: 'hello' })
  let { runners } = await page.next('welcome')
  while ((runners as unknown[]).length === 0) ({ runners } = await page.next('runners'))
  const wrong = await startParley(['demo', '--data', data], { PARLEY_TOKEN: 'no-such-token' }).ended
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('Unknown token') })
})

test('[C129] there is no link to sign in where no hub runs that could take it', async () => {
  const data = await temporaryFolder()
  const token = (...words: string[]) => startParley(['token', ...words, '--data', data]).ended
  await token('create', 'ada', '--role', 'human')
  expect(await token('link', 'ada')).toEqual({
    code: 1,
    stdout: '',
    stderr: `Start a hub for ${data} with parley open, or say where it is with --host and --port: another program at its port would get the link\n`,
  })
})
