import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Ask, AskOutcome, Happening, SessionWanted, ToolStep } from '../../../src/agents/driver.ts'
import { modelDriver } from '../../../src/agents/model/driver.ts'
import { temporaryFolder } from '../hub.ts'
import type { Reply } from '../models/reply.ts'
import { type Family, startModelServer } from './model-servers.ts'

type ModelParts = Parameters<typeof modelDriver>[0]

export const TOOLS_SERVER = {
  name: 'tools',
  command: process.execPath,
  args: [fileURLToPath(new URL('../upstream/tools-server.ts', import.meta.url))],
}

interface DrivenWanted extends Partial<ModelParts> {
  session?: Partial<SessionWanted>
  /** What a person says to every request for approval; without it they wait. */
  verdict?: AskOutcome
}

/** A session with a model that answers what the script says. */
export async function driveModel(family: Family, script: Reply[], { session, verdict, ...wanted }: DrivenWanted = {}) {
  const service = await startModelServer(family, script)
  const stateFolder = wanted.stateFolder ?? (await temporaryFolder())
  const happenings: Happening[] = []
  const asks: Ask[] = []
  const waits: number[] = []
  const waiting = new Set<() => void>()
  const driver = modelDriver({
    model: `${family}:scripted`,
    baseUrl: service.url,
    apiKey: 'secret',
    servers: [],
    strictChat: false,
    stateFolder,
    async wait(ms, signal) {
      signal.throwIfAborted()
      waits.push(ms)
    },
    now: () => 0,
    ...wanted,
  })
  const agent = await driver.start({
    conversation: 'work',
    folder: stateFolder,
    parley: { stdio: { command: '', args: [], env: {} } },
    happens,
    ...session,
  })
  onTestFinished(() => agent.stop())
  return { ...service, agent, stateFolder, happenings, asks, waits, happened, text, thoughts, posts, steps, notices }

  function happens(happening: Happening) {
    happenings.push(happening)
    if (happening.type === 'ask') {
      asks.push(happening.ask)
      if (verdict) happening.ask.settled(verdict)
    }
    for (const look of waiting) look()
  }

  /** Resolves when something of this kind has happened. */
  function happened(test: (happening: Happening) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!happenings.some(test)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  }

  /** What was said, one text for each message. */
  function text(): string[] {
    return joined('text')
  }

  function thoughts(): string[] {
    return joined('thought')
  }

  function joined(type: 'text' | 'thought'): string[] {
    const messages = new Map<string | undefined, string>()
    for (const happening of happenings)
      if (happening.type === type)
        messages.set(happening.message, (messages.get(happening.message) ?? '') + happening.text)
    return [...messages.values()]
  }

  function posts(): unknown[] {
    return happenings
      .filter(({ type }) => type === 'post')
      .map((happening) => 'content' in happening && happening.content)
  }

  /** Each call as it is in the end, in the order of their beginning. */
  function steps(): ToolStep[] {
    const merged = new Map<string, ToolStep>()
    for (const happening of happenings)
      if (happening.type === 'tool')
        merged.set(happening.step.id, { ...merged.get(happening.step.id), ...happening.step })
    return [...merged.values()]
  }

  function notices(): string[] {
    return happenings.flatMap((happening) => (happening.type === 'notice' && happening.text ? [happening.text] : []))
  }
}
