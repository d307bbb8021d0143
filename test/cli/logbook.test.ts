import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOverHttp } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { startParley } from '../support/process.ts'
import { connect } from '../support/socket.ts'

const SECRETS = ['Deploy the secret thing?', 'A secret yes']

/** An agent asks, a person answers, somebody calls what is not there, the hub ends: its stderr. */
async function stderrOf(args: string[]): Promise<{ url: string; lines: string[] }> {
  const parley = startParley(['serve', '--port', '0', '--data', await temporaryFolder(), ...args])
  const url = await parley.url
  const person = await connect(url)
  const agent = await agentOverHttp(url)
  const reply = agent.ask(SECRETS[0] as string)
  person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: SECRETS[1] })
  await reply
  await expect(agent.client.callTool({ name: 'dance', arguments: {} })).rejects.toThrow('dance')
  person.ws.close()
  await person.closed
  parley.child.kill('SIGTERM')
  return { url, lines: (await parley.ended).stderr.trimEnd().split('\n') }
}

test('[C25] stderr has the address and the mode, and a line of JSON for each call and each connection when it ends', async () => {
  const { url, lines } = await stderrOf([])
  const [address, mode, ...events] = lines
  expect([address, mode]).toEqual([url, expect.stringMatching(/^It is open: /)])
  const common = { time: expect.stringMatching(/^\d{4}-.+Z$/), level: 'info', principal: 'local' }
  const call = { ...common, event: 'call', role: 'agent', client: 'test-agent', ms: expect.any(Number) }
  expect(events.map((line) => JSON.parse(line))).toEqual([
    { ...call, tool: 'send_message', outcome: 'ok' },
    { ...call, tool: 'unknown', outcome: 'unknown_tool' },
    { ...common, event: 'connection', role: 'human', dialect: 'documented', code: 1005, ms: expect.any(Number) },
  ])
})

test('[C25] what was said is there only when it is asked for', async () => {
  const quiet = (await stderrOf(['--log', 'debug'])).lines.join('\n')
  for (const secret of SECRETS) expect(quiet).not.toContain(secret)
  expect(quiet).toContain('"event":"frame"')
  const open = (await stderrOf(['--log-content'])).lines.join('\n')
  for (const secret of SECRETS) expect(open).toContain(secret)
  expect((await stderrOf(['--log', 'error'])).lines).toHaveLength(2)
})

test('[C25] calls over a line are told too, and what is no message is told nowhere', async () => {
  const data = await temporaryFolder()
  const parley = startParley(['stdio'], { PARLEY_DATA: data })
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  await parley.line({ id: 1, method: 'initialize', params })
  parley.child.stdin?.write('a secret that is no JSON\n')
  await parley.line({ id: 2, method: 'tools/call', params: { name: 'send_message', arguments: { text: '' } } })
  const { ended } = hubOf(data)
  parley.child.stdin?.end()
  const { stderr } = await parley.ended
  await ended()
  const told = await readFile(join(data, 'hub.log'), 'utf8')
  expect(stderr + told).not.toContain('secret')
  const events = told.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(events).toMatchObject([
    { level: 'info', event: 'call', tool: 'send_message', client: 'raw', outcome: 'invalid' },
  ])
})

test('[C26] a program that does not read stderr does not stop the hub', async () => {
  const parley = startParley(['serve', '--port', '0', '--data', 'memory', '--log', 'debug', '--log-content'])
  const person = await connect(await parley.url, '/ws?dialect=loop')
  parley.child.stderr?.pause()
  const text = 'x'.repeat(100_000)
  for (let n = 0; n < 60; n++) person.say({ type: 'chat', message: text, session_id: 'work' })
  for (let n = 0; n < 60; n++) await person.next('user_message')
  person.ws.close()
  await person.closed
  parley.child.stderr?.resume()
  parley.child.kill('SIGTERM')
  await once(parley.child, 'exit')
  expect(parley.child.exitCode).toBe(0)
})
