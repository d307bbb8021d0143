import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import type { View } from '../../src/chat/view.ts'
import { parleyServer } from '../../src/cli/run/parley-server.ts'
import { processesMarked, signal } from '../../src/io/descendants.ts'
import { ownProgram } from '../../src/io/programs/own-program.ts'
import type { DrivenState } from '../../src/protocol/frames/driving.ts'
import { fromRegistry } from '../support/cli/from-registry.ts'
import { startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { startModelServer } from '../support/driven/model-servers.ts'
import { REAL_AGENTS, type RealAgent } from '../support/driven/real-agents.ts'
import { scriptedReply } from '../support/driven/scripted-replies.ts'
import { temporaryFolder } from '../support/hub.ts'

const NOWHERE = 'http://127.0.0.1:9'
/** All that an agent starts carries it. */
const MARK = 'REAL_AGENT_HOME'

test.for(Object.entries(REAL_AGENTS))(
  '[O99] %s answers, waits before it runs a command, stops, survives its end, sleeps, and goes on',
  { timeout: 20 * 60_000 },
  async ([name, agent], { skip }) => {
    const { driver, model, home } = await openReal(name, agent, skip)
    const data = await temporaryFolder()
    const own = async (conversation: string) =>
      parleyServer({ data, conversation, gateway: true, program: ownProgram() })
    const given = { driver, ...(agent.hasParley && { parley: own }) }
    const { view, runner } = await startDriven({ ...given, name: 'robot' }, data)
    const { conversation } = await view.start({ runner: 'robot' }, { text: 'What is in the box?' }, 'first')
    const watch = watching(view, conversation)
    let turns = 0

    expect(await turn()).toBe('ended')
    expect(said()).toEqual(['A blue hat.'])
    // Its model has Parley's own tools, by whatever names.
    if (agent.hasParley) expect(JSON.stringify(model.asked.map(({ body }) => body))).toContain('ask_user')

    await view.say(conversation, { text: 'Make a file' })
    const [question] = await watch.until('question')
    // What offers nothing but yes, no and for good is asked about as any other call.
    const { options } = question?.approval ?? {}
    if (options) expect(options.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['allow_once', 'reject_once']))
    expect(existsSync(join(data, 'made.txt'))).toBe(false)
    const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
    const once = options?.find(({ kind }) => kind === 'allow_once')
    await (once ? view.takeOption(id, once.id) : view.allow(id, undefined))
    expect(await turn()).toBe('ended')
    expect(existsSync(join(data, 'made.txt'))).toBe(true)
    const [call] = watch.bodies('tool_call')
    expect(JSON.stringify(call)).toContain('touch made.txt')
    expect(watch.bodies('tool_result')).toMatchObject([{ call_id: call?.call_id, success: true }])
    expect(said().at(-1)).toBe('It is made.')

    await ask('Think for long', { waits: false })
    await untilDriven(view, conversation, 'working')
    await view.interrupt(conversation)
    expect(await turn()).toBe('cancelled')
    await ask('Are you sure?')
    expect(said().at(-1)).toBe('Still the blue hat.')

    killAgent(home)
    // What is given to one that is just dying has failed with it.
    await watch.until('error')
    await ask('And who are you?')
    expect(said().at(-1)).toBe('The keeper of the hats.')
    expect(shown()).toContain('What is in the box?')

    await runner.close()
    const next = await startRunner(data, { ...given, name: 'robot', idleMs: 1 })
    await ask('Are you sure?')
    await untilDriven(view, conversation, 'asleep')
    await ask('And who are you?')
    expect(shown()).toContain('What is in the box?')

    const { conversation: forked } = await view.start(
      { runner: 'robot', from: { conversation } },
      { text: 'Are you sure?' },
      'fork',
    )
    const branch = watching(view, forked)
    expect(await branch.until('turn')).toMatchObject([{ outcome: 'ended' }])
    expect(shown()).toContain('What is in the box?')
    expect(branch.bodies('earlier').map(({ text }) => text)).toContain('What is in the box?')

    const kept = await driver.sessions?.(data, data)
    await next.close()
    if (kept) {
      // As one that was begun in a terminal: nobody here has it.
      await startRunner(data, { ...given, name: 'other', state: join(data, 'other.db') })
      const resume = kept.at(-1)?.id
      const { conversation: resumed } = await view.start({ runner: 'other', resume }, { text: '' }, 'resume')
      const old = watching(view, resumed)
      expect(await old.until('turn')).toMatchObject([{ outcome: 'ended' }])
      expect(old.bodies('earlier').map(({ text }) => text)).toContain('What is in the box?')
      await view.say(resumed, { text: 'And who are you?' })
      expect(await old.until('turn', 2)).toMatchObject([{}, { outcome: 'ended' }])
      expect(shown()).toContain('What is in the box?')
    }
    const ends = watch.bodies('error').map(({ error }) => error.startsWith(`${name} is gone: it was ended by SIGKILL`))
    expect(new Set(ends)).toEqual(new Set([true]))

    async function ask(text: string, { waits = true } = {}) {
      await view.say(conversation, { text })
      if (waits) expect(await turn()).toBe('ended')
    }

    async function turn() {
      turns++
      return (await watch.until('turn', turns)).at(-1)?.outcome
    }

    function said(): string[] {
      return watch.bodies('message').flatMap(({ author, text }) => (author === 'assistant' ? [text] : []))
    }

    /** What the model was shown last of a conversation. */
    function shown(): string {
      return JSON.stringify(model.asked.findLast(({ body }) => JSON.stringify(body).includes('touch made.txt'))?.body)
    }
  },
)

async function openReal(name: string, agent: RealAgent, skip: (reason: string) => never) {
  const found = await fromRegistry(agent)
  if ('missing' in found) return skip(found.missing)
  const model = await startModelServer(agent.wire, scriptedReply)
  const home = await temporaryFolder()
  for (const [file, text] of Object.entries(agent.files?.({ modelUrl: model.url, modules: found.modules }) ?? {})) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text, { mode: 0o600 })
  }
  const environment = {
    [MARK]: home,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.data'),
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
    ...agent.environment?.(model.url),
  }
  return { model, home, driver: acpDriver({ command: agent.command(found.modules), name, environment }) }
}

/** The agent and all that it started end at once. */
function killAgent(home: string) {
  for (const { proc, value } of processesMarked(MARK)) if (value === home) signal(proc.pid, 'SIGKILL')
}

async function untilDriven(view: View, conversation: string, state: DrivenState) {
  await expect.poll(() => new Map(view.driving.driven()).get(conversation)?.state).toBe(state)
}
