import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openTestHub, startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { call } from '../support/mcp/surfaces.ts'
import { startParley } from '../support/process.ts'
import { connect, connectPage } from '../support/socket.ts'
import { said, startGateway } from '../support/upstream/gateway.ts'

const TOKENS = 'robot:agent:of-robot-0123456789,root:admin:of-root-0123456789,ada:human:of-ada-0123456789'
const BOB = { name: 'bob', role: 'human', conversation: 'talk' } as const
const policy = (...decisions: string[]) => JSON.stringify({ rules: decisions.map((decision) => ({ decision })) })
const CALL = { server: 's', tool: 't', arguments: {}, principal: 'codex', at: 0 }

/** A hub of a folder with this policy, and what stands in its log about that. */
async function startWith(text: string, parts: { tokens?: string } = {}) {
  const data = await temporaryFolder()
  const path = join(data, 'policy.jsonc')
  writeFileSync(path, text)
  const lines: string[] = []
  const out = { writableLength: 0, write: (text: string) => lines.push(...text.trimEnd().split('\n')) }
  const hub = await openTestHub({
    host: '127.0.0.1',
    port: 0,
    data,
    log: { level: 'warn', content: false, out },
    ...parts,
  })
  onTestFinished(hub.close)
  hub.policy.news()
  return { ...hub, path, logged: () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'policy') }
}

test('[G23] what is wrong with the policy stands in the log once, and that it is over', async () => {
  const { path, logged, policy: file } = await startWith(policy('ask'))
  writeFileSync(path, '{')
  writeFileSync(path, '{')
  await eventually(() => expect(logged()).toHaveLength(1))
  expect(logged()[0]).toMatchObject({ level: 'warn', rules: 1, problem: expect.stringContaining(`${path}:1:2: `) })
  expect(file.decide(CALL).rule?.id).toBe('#1')
  writeFileSync(path, policy('ask', 'allow'))
  await eventually(() => expect(logged()).toHaveLength(2))
  expect(logged()[1]).toMatchObject({ level: 'warn', rules: 2, problem_over: true })
})

test('[G23] pages of people are told after their welcome and on each change', async () => {
  const { url, path } = await startWith(policy('ask'))
  const page = await connectPage(url)
  expect(await page.next('policy')).toEqual({ type: 'policy', rules: 1 })
  writeFileSync(path, policy('ask', 'allow'))
  expect(await page.next('policy')).toEqual({ type: 'policy', rules: 2 })
  rmSync(path)
  expect(await page.next('policy')).toEqual({ type: 'policy', rules: 2, problem: `${path} is gone` })
  const again = await connectPage(url, { cursor: String(page.welcome.cursor) })
  expect(await again.next('policy')).toEqual({ type: 'policy', rules: 2, problem: `${path} is gone` })
})

test('[G23] agents and who may see one conversation only are told nothing', async () => {
  const { url, path, tokens } = await startWith(policy('ask'), { tokens: TOKENS })
  const { secret } = await tokens.create(BOB)
  const people = [await greeted(url, 'of-root-0123456789'), await greeted(url, 'of-ada-0123456789')]
  const bob = await greeted(url, secret)
  await expect(greeted(url, 'of-robot-0123456789')).rejects.toThrow('403')
  for (const page of people) expect(await page.next('policy')).toMatchObject({ rules: 1 })
  writeFileSync(path, policy())
  for (const page of people) expect(await page.next('policy')).toMatchObject({ rules: 0 })
  bob.say({ type: 'list', key: 'last' })
  const types: string[] = []
  while (types.at(-1) !== 'listed') types.push((await bob.any()).type)
  expect(types).not.toContain('policy')
})

async function greeted(url: string, token: string) {
  const page = await connect(url, '/ws?dialect=timeline', undefined, { authorization: `Bearer ${token}` })
  page.say({ type: 'hello' })
  await page.next('welcome')
  return page
}

test('[G23] parley status shows how many rules count, and what is wrong', async () => {
  const data = await temporaryFolder()
  const path = join(data, 'policy.jsonc')
  const { policy: file } = await startHubWithSocket(data)
  writeFileSync(path, policy('ask', 'ask'))
  await eventually(() => expect(file.rules()).toHaveLength(2))
  expect((await startParley(['status', '--data', data]).ended).stdout).toMatch(/^policy +2 rules$/m)
  writeFileSync(path, '[')
  await eventually(() => expect(file.problem()).toBeDefined())
  const { stdout } = await startParley(['status', '--data', data]).ended
  expect(stdout).toMatch(/^policy +2 rules, and a file that cannot be used:\n +.*policy\.jsonc:1:\d+: /m)
})

test('[G24] people and administrators are shown the policy with policy_show, agents never', async () => {
  const rules = [{ id: 'never', server: 'git', tool: ['push', 'rm*'], decision: 'deny_abort' }, { decision: 'ask' }]
  const { connect, data, tokens } = await startGateway({ tokens: TOKENS, policy: { rules } })
  const path = join(data, 'policy.jsonc')
  const shown = [
    {
      id: 'never',
      identity: expect.any(String),
      line: 1,
      decision: 'deny_abort',
      shown: 'server git, tool push or rm*',
    },
    { id: '#2', identity: expect.any(String), line: 1, decision: 'ask', shown: 'everything' },
  ]
  for (const name of ['root', 'ada']) {
    const client = await connect('modern', { token: `of-${name}-0123456789` })
    expect(await call(client, 'policy_show', {})).toEqual({
      path,
      rules: shown,
      ...(name === 'root' && { manageable: true }),
    })
  }
  const robot = await connect('legacy', { token: 'of-robot-0123456789' })
  expect((await robot.listTools()).tools.map(({ name }) => name)).not.toContain('policy_show')
  expect(await said(robot, 'policy_show')).toBe('This is for human or admin, and robot is agent')
  const bob = await connect('legacy', { token: (await tokens.create(BOB)).secret })
  expect(await said(bob, 'policy_show')).toBe(
    'The policy is about all conversations, and bob may see only one; use a token for all of them',
  )
})

test('[G97] a hub that forgets has a policy of its own, without a file and for as long as it runs', async () => {
  const { policy: file, url } = await startHub('memory')
  const page = await connectPage(url)
  expect(await page.next('policy')).toEqual({ type: 'policy', rules: 0 })
  expect(file.show()).toEqual({ rules: [] })
  await file.add({ rule: { tool: 't', decision: 'allow' }, comment: 'ada' })
  expect(await page.next('policy')).toEqual({ type: 'policy', rules: 1 })
  expect([file.decide(CALL).decision, file.decide({ ...CALL, tool: 'u' }).decision]).toEqual(['allow', 'ask'])
  await expect(file.add({ rule: { tool: 't' }, comment: '' })).rejects.toThrow('This rule has no "decision"')
  expect(file.problem()).toBeUndefined()
})
