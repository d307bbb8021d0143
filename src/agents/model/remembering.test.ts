import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { driveModel, TOOLS_SERVER } from '../../../test/support/driven/driven-model.ts'
import { FAMILIES } from '../../../test/support/driven/model-servers.ts'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { modelDriver } from './driver.ts'

describe.each(FAMILIES)('a session with a model of the %s family', (family) => {
  test('[O92] is resumed with everything that was said, done and thought', async () => {
    const call = { think: ['Hm.'], calls: [{ name: 'tools_echo', input: { text: 'echoed' } }] }
    const verdict = { outcome: 'approved', option: 'allow_once' } as const
    const first = await driveModel(family, [call, { say: ['Good morning.'] }], { servers: [TOOLS_SERVER], verdict })
    expect(first.agent.remembers).toBe(false)
    await first.agent.prompt({ text: 'Hello' })
    await first.agent.stop()

    const { stateFolder } = first
    const second = await driveModel(family, [{ say: ['Yes.'] }], { stateFolder, session: { resume: first.agent.id } })
    expect(second.agent).toMatchObject({ id: first.agent.id, remembers: true })
    await second.agent.prompt({ text: 'Still there?' })
    const { messages } = second.asked[0]?.body ?? {}
    expect(JSON.stringify(messages)).toMatch(/Hello.*echoed.*Good morning\..*Still there\?/)
  })

  test('[O92] that a process left in the middle of a call or of writing is resumed', async () => {
    const script = [{ calls: [{ name: 'tools_echo', input: { text: 'never' } }] }]
    const first = await driveModel(family, script, { servers: [TOOLS_SERVER] })
    const end = first.agent.prompt({ text: 'Hello' })
    await first.happened(({ type }) => type === 'ask')
    const file = join(first.stateFolder, `${first.agent.id}.jsonl`)
    const left = readFileSync(file)
    await first.agent.interrupt()
    await end
    writeFileSync(file, left)
    appendFileSync(file, '{"add":[{"ro')

    for (const said of ['Yes.', 'Still.']) {
      const { stateFolder } = first
      const next = await driveModel(family, [{ say: [said] }], { stateFolder, session: { resume: first.agent.id } })
      expect(await next.agent.prompt({ text: `${said}?` })).toMatchObject({ outcome: 'ended' })
      const told = JSON.stringify(next.asked[0]?.body.messages)
      expect(told.match(/The run ended before this call was done/g)).toHaveLength(1)
    }
  })

  test('[O92] that nobody knows is a new one', async () => {
    for (const resume of ['../../etc/passwd', '00000000-0000-0000-0000-000000000000']) {
      const { agent } = await driveModel(family, [], { session: { resume } })
      expect(agent.remembers).toBe(false)
      expect(agent.id).not.toBe(resume)
    }
  })

  test('[O80] uses the model that the person chose, at once or later', async () => {
    const { agent, asked, happenings } = await driveModel(family, [{ say: ['One.'] }, { say: ['Two.'] }], {
      session: { model: 'small' },
    })
    await agent.prompt({ text: 'Hello' })
    await agent.choose({ model: 'large' })
    await agent.prompt({ text: 'Hello' })
    expect(asked.map(({ body }) => body.model)).toEqual(['small', 'large'])
    const shown = happenings.flatMap((happening) =>
      happening.type === 'controls' ? (happening.models?.current ?? []) : [],
    )
    expect(shown).toEqual(['small', 'large'])
  })
})

describe('the model that is named', () => {
  const wanted = { servers: [], strictChat: false, stateFolder: '/nowhere' }

  test.each([
    ['gpt', {}, '"gpt" is not a model; write PROVIDER:NAME, such as anthropic:claude-sonnet-4-5 or ollama:qwen3'],
    ['anthropic:claude', {}, 'anthropic needs a key; set ANTHROPIC_API_KEY in the environment'],
    ['openai:gpt', { OPENAI_API_KEY: '' }, 'openai needs a key; set OPENAI_API_KEY in the environment'],
    [
      'groq:llama',
      {},
      'Unknown provider "groq"; known: anthropic, openai, ollama, vllm, and any other that speaks as OpenAI does with --base-url',
    ],
  ])('[O80] %s with %o is refused in one sentence', (model, environment, sentence) => {
    expect(() => modelDriver({ ...wanted, model, environment })).toThrow(sentence)
  })

  test('[O80] a base URL must be one', () => {
    const named = { ...wanted, model: 'groq:llama', baseUrl: 'localhost:80', environment: {} }
    expect(() => modelDriver(named)).toThrow(
      '"localhost:80" is not the address of a service; it must begin with http:// or https://',
    )
  })

  test('[O80] local services need no key, and a key goes to the service as it wants it', async () => {
    for (const model of ['ollama:qwen3:8b', 'vllm:m'])
      expect(modelDriver({ ...wanted, model, environment: {} }).name).toBe(model.slice(model.indexOf(':') + 1))
    const environment = { ANTHROPIC_API_KEY: 'a-key', GROQ_API_KEY: 'g-key' }
    const anthropic = await driveModel('anthropic', [{ say: ['Hi.'] }], { apiKey: undefined, environment })
    await anthropic.agent.prompt({ text: 'Hello' })
    expect(anthropic.asked[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'a-key' } })
    const groq = await driveModel('openai', [{ say: ['Hi.'] }], { model: 'groq:llama', apiKey: undefined, environment })
    await groq.agent.prompt({ text: 'Hello' })
    expect(groq.asked[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer g-key' } })
  })

  test('[O94] the libraries for models are loaded with the first session and not before', async () => {
    const folder = await temporaryFolder()
    const program = join(folder, 'load.mjs')
    const driver = new URL('./driver.ts', import.meta.url).href
    writeFileSync(
      program,
      `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (/^(@ai-sdk|@modelcontextprotocol)(\\/|$)/.test(name)) console.log(name)
        return next(name, context)
      } })
      const { modelDriver } = await import('${driver}')
      const driver = modelDriver({ model: 'ollama:m', servers: [], strictChat: false, stateFolder: '${folder}' })
      console.log('named')
      await driver.start({ folder: '${folder}', parley: { stdio: { args: [] } }, happens() {} })`,
    )
    const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
    const [before, after] = stdout.split('named')
    expect(before).toBe('')
    expect(after).toContain('@ai-sdk/anthropic')
  })
})
