import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { fromRegistry } from '../support/cli/from-registry.ts'
import { startDriven, startRunner } from '../support/driven/driven.ts'
import { type Asked, startModelServer } from '../support/driven/model-servers.ts'
import { REAL_AGENTS } from '../support/driven/real-agents.ts'
import { temporaryFolder } from '../support/hub.ts'
import type { Reply } from '../support/models/reply.ts'

test.for(Object.entries(REAL_AGENTS))(
  '[O99] %s answers, waits before it runs a command, and goes on with its session',
  { timeout: 10 * 60_000 },
  async ([name, agent], { skip }) => {
    const found = await fromRegistry(agent)
    if ('missing' in found) return skip(found.missing)
    const model = await startModelServer(agent.family, replyOf(agent.shell))
    const home = await temporaryFolder()
    const environment = { ...agent.environment(model.url), HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
    const driver = acpDriver({ command: agent.command(found.modules), name, environment })
    const { data, view, watch, runner } = await startDriven({ driver })

    await view.say('work', { text: 'What is in the box?' })
    expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
    expect(said()).toEqual(['A blue hat.'])

    await view.say('work', { text: 'Make a file' })
    const [question] = await watch.until('question')
    const options = question?.approval?.options ?? []
    expect(options.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['allow_once', 'reject_once']))
    expect(existsSync(join(data, 'made.txt'))).toBe(false)
    const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
    await view.takeOption(id, options.find(({ kind }) => kind === 'allow_once')?.id ?? '')
    expect(await watch.until('turn', 2)).toMatchObject([{}, { outcome: 'ended' }])
    expect(existsSync(join(data, 'made.txt'))).toBe(true)
    const [call] = watch.bodies('tool_call')
    expect(call?.tool_args).toContain('touch made.txt')
    expect(watch.bodies('tool_result')).toMatchObject([{ call_id: call?.call_id, success: true }])
    expect(said()).toEqual(['A blue hat.', 'It is made.'])

    await runner.close()
    await startRunner(data, { driver })
    await view.say('work', { text: 'Are you sure?' })
    expect(await watch.until('turn', 3)).toMatchObject([{}, {}, { outcome: 'ended' }])
    expect(said().at(-1)).toBe('Still the blue hat.')
    expect(JSON.stringify(model.asked.at(-1)?.body.messages)).toContain('What is in the box?')
    expect(watch.bodies('error')).toEqual([])

    function said(): string[] {
      return watch.bodies('message').flatMap(({ author, text }) => (author === 'assistant' ? [text] : []))
    }
  },
)

/** By what was said, because an agent also asks its model for titles and the like, whenever it wants to. */
function replyOf(shell: string) {
  return ({ tools = [], messages }: Asked['body']): Reply => {
    if (tools.length === 0) return { say: ['A hat'] }
    const told = JSON.stringify(messages)
    if (told.includes('Are you sure?')) return { say: ['Still the blue hat.'] }
    if (!told.includes('Make a file')) return { say: ['A blue', ' hat.'] }
    if (/"(tool_result|tool)"/.test(told)) return { say: ['It is made.'] }
    return { calls: [{ name: shell, input: { command: 'touch made.txt', description: 'Makes a file' } }] }
  }
}
