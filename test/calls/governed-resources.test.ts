import { expect, test } from 'vitest'
import { ERRORS } from '../../src/protocol/errors.ts'
import type { Era } from '../support/agent.ts'
import { linesOf } from '../support/policy/audited.ts'
import { raw } from '../support/upstream/gateway.ts'
import { startLibrary } from '../support/upstream/library.ts'

const ERAS: Era[] = ['legacy', 'modern']
const OPEN = 'gateway://lib/memo://open'
const CLOSED = 'gateway://lib/memo://closed'

test.each(ERAS)('[G220] what a rule denies is neither read nor got, and its client (%s) is told', async (era) => {
  const rules = [
    {
      id: 'quiet',
      tool: 'resources/read',
      arguments: { uri: '*closed' },
      decision: 'deny_continue',
      reason: 'Not this',
    },
    { id: 'stop', tool: 'prompts/get/*', arguments: { who: 'Ada' }, decision: 'deny_abort', reason: 'Not her' },
  ]
  const { connect, asked, log } = await startLibrary({ policy: { rules } })
  const client = await connect(era)
  await expect(client.readResource({ uri: CLOSED })).rejects.toMatchObject({
    code: -32951,
    message: expect.stringContaining('Not this'),
  })
  await expect(client.getPrompt({ name: 'lib_greet', arguments: { who: 'Ada' } })).rejects.toMatchObject({
    code: -32950,
    message: expect.stringContaining('Not her'),
  })
  expect((await log.until('tool_result', 2)).body).toMatchObject({ success: false, decided: { rule: { id: 'stop' } } })
  expect(asked()).toEqual([])
  expect((await client.readResource({ uri: OPEN })).contents).toMatchObject([
    { uri: OPEN, text: expect.stringContaining('It is memo://open') },
  ])
  expect((await client.getPrompt({ name: 'lib_greet', arguments: { who: 'Bob' } })).messages).toHaveLength(1)
  expect(asked()).toEqual([
    ['resources/read', 'memo://open'],
    ['prompts/get', 'greet'],
  ])
})

test('[G220] an address of a file is a path to rules about paths', async () => {
  const rules = [{ arguments: { '*': { path: '/**/.env' } }, decision: 'deny_continue' }]
  const { connect, asked } = await startLibrary({ policy: { rules } })
  const client = await connect()
  const denied = client.readResource({ uri: 'gateway://lib/file:///site/sub/../.env' })
  await expect(denied).rejects.toMatchObject({ code: -32951 })
  await client.readResource({ uri: 'gateway://lib/file:///site/notes.txt' })
  expect(asked()).toEqual([['resources/read', 'file:///site/notes.txt']])
})

test.each(ERAS)('[G221] what is asked about waits for a person, who sees it (%s)', async (era) => {
  const rules = [{ tool: ['resources/*', 'prompts/*'], decision: 'ask', reason: 'Whoever reads is seen' }]
  const { connect, view, asked, log } = await startLibrary({ policy: { rules } })
  const client = await connect(era)
  const reading = client.readResource({ uri: CLOSED })
  const { id, body } = await log.until('question')
  const shown = { server: 'lib', tool: 'resources/read', input: '{"uri":"memo://closed"}' }
  expect(body.approval).toMatchObject({ ...shown, reason: 'Whoever reads is seen' })
  expect(asked()).toEqual([])
  await view.allow(id, '{"uri":"memo://open"}')
  expect((await reading).contents).toMatchObject([{ uri: OPEN }])
  const getting = client.getPrompt({ name: 'lib_greet', arguments: { who: 'Ada' } })
  const { id: second, body: prompt } = await log.until('question', 2)
  expect(prompt.approval).toMatchObject({ server: 'lib', tool: 'prompts/get/greet', input: '{"who":"Ada"}' })
  await view.deny(second, 'Not now')
  await expect(getting).rejects.toMatchObject({
    code: -32951,
    message: expect.stringMatching(/^This call is not allowed: .*Not now/),
  })
  expect(asked()).toEqual([['resources/read', 'memo://open']])
})

test('[G221] who cannot wait is told to ask again, and then gets what was read meanwhile, in its shape', async () => {
  const rules = [{ tool: 'resources/read', decision: 'ask' }]
  const tokens = 'ci:agent:of-ci-0123456789'
  const { connect, view, asked, log } = await startLibrary({ policy: { rules }, maxWaitSeconds: 1, tokens })
  const client = await connect('legacy', { token: 'of-ci-0123456789' })
  await expect(client.readResource({ uri: OPEN })).rejects.toMatchObject({
    code: -32008,
    message: expect.stringContaining(ERRORS.call_undecided.text),
  })
  const { id } = await log.until('question')
  await view.allow(id, undefined)
  await log.until('tool_result')
  const { contents } = (await raw(client, 'resources/read', { uri: OPEN })) as { contents: { text: string }[] }
  // What was kept is without secrets.
  expect(contents).toEqual([{ uri: OPEN, text: expect.stringMatching(/It is memo:..open, .*masked/) }])
  expect(asked()).toEqual([['resources/read', 'memo://open']])
})

test('[G222] each is a call and a result, without secrets, and in the audit', async () => {
  const { connect, data, log, close } = await startLibrary()
  const client = await connect()
  await client.readResource({ uri: OPEN })
  await client.getPrompt({ name: 'lib_greet', arguments: { who: 'Ada' } })
  const [{ body: begun }, { body: ended }] = [await log.until('tool_call'), await log.until('tool_result')]
  expect(begun).toMatchObject({ server: 'lib', tool: 'resources/read', tool_args: '{"uri":"memo://open"}' })
  expect(begun).toMatchObject({ by: 'test-client', decided: { decision: 'allow' } })
  expect(ended).toMatchObject({ call_id: begun.call_id, success: true, masked: 1 })
  expect(ended.result).toMatch(/^It is memo:..open, .*masked/)
  expect((await log.until('tool_result', 2)).body).toMatchObject({ result: 'Do greet', success: true })
  await close()
  expect(linesOf(data).length).toBeGreaterThanOrEqual(4)
})

test.each(ERAS)('[G223] who may not read a resource cannot follow it (%s)', async (era) => {
  const rules = [{ tool: 'resources/read', arguments: { uri: '*closed' }, decision: 'deny_continue' }]
  const { connect, asked, log } = await startLibrary({ policy: { rules } })
  const client = await connect(era)
  const follow = (...uris: string[]) =>
    era === 'legacy' ? client.subscribeResource({ uri: uris[0] ?? '' }) : client.listen({ resourceSubscriptions: uris })
  await expect(follow(CLOSED)).rejects.toMatchObject({ code: -32951 })
  expect((await log.until('tool_call')).body.tool_args).toBe('{"uri":"memo://closed","subscribe":true}')
  expect(asked()).toEqual([])
  await follow(OPEN, CLOSED)
  expect((await log.until('tool_result', era === 'legacy' ? 2 : 3)).body.tool_name).toBe('lib_resources/read')
  expect(asked().filter(([, uri]) => uri === 'memo://closed')).toEqual([])
})

test('[G224] a tool that is called like such a request is left out', async () => {
  const { connect, gateway } = await startLibrary()
  const { tools } = await (await connect()).listTools()
  expect(tools.map(({ name }) => name).filter((name) => name.startsWith('lib_'))).toEqual(['lib_lend', 'lib_count'])
  expect(gateway.logs('lib').join('\n')).toContain(
    'left out resources/read of its tools: its name is that of a request',
  )
})

test('[G320] what a person allows instead of following a resource is not followed, nor is that resource', async () => {
  const rules = [{ tool: 'resources/read', decision: 'ask' }]
  const { connect, view, log } = await startLibrary({ policy: { rules } })
  const client = await connect('legacy')
  for (const [n, changed] of ['{"uri":"memo://open","subscribe":true}', '{"uri":"memo://closed"}'].entries()) {
    const following = client.subscribeResource({ uri: CLOSED })
    const { id } = await log.until('question', n + 1)
    await view.allow(id, changed)
    await expect(following).rejects.toMatchObject({ code: -32951, message: expect.stringContaining('something else') })
  }
  const meant = client.subscribeResource({ uri: CLOSED })
  const { id } = await log.until('question', 3)
  await view.allow(id, '{"uri":"memo://closed","subscribe":true}')
  await meant
})

test('[G320] neither is it where the person allowed it while nobody waited', async () => {
  const rules = [{ tool: 'resources/read', decision: 'ask' }]
  const tokens = 'ci:agent:of-ci-0123456789'
  const { connect, view, log } = await startLibrary({ policy: { rules }, maxWaitSeconds: 1, tokens })
  const client = await connect('legacy', { token: 'of-ci-0123456789' })
  await expect(client.subscribeResource({ uri: CLOSED })).rejects.toMatchObject({ code: -32008 })
  const { id } = await log.until('question')
  await view.allow(id, '{"uri":"memo://open","subscribe":true}')
  await log.until('tool_result')
  await expect(client.subscribeResource({ uri: CLOSED })).rejects.toMatchObject({ code: -32951 })
  await expect(client.subscribeResource({ uri: CLOSED })).rejects.toMatchObject({ code: -32008 })
  const { id: second } = await log.until('question', 2)
  await view.allow(second, undefined)
  await log.until('tool_result', 2)
  await client.subscribeResource({ uri: CLOSED })
})
