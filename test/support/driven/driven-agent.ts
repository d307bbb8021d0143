import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { acpDriver } from '../../../src/agents/acp/driver.ts'
import { PATIENCE, type Patience } from '../../../src/agents/acp/patience.ts'
import type { Ask, Driver, Happening, SessionWanted } from '../../../src/agents/driver.ts'

/** How to start the scripted agent, with a path that would be several words without its quotes. */
export const SCRIPTED = `"${process.execPath}" '${fileURLToPath(new URL('./acp-agent.ts', import.meta.url))}'`

/** The environment for who starts it: where it writes, and what another one compiled. */
export function scriptedIn(folder: string): Record<string, string> {
  const { NODE_COMPILE_CACHE = '' } = process.env
  return { ACP_AGENT_FOLDER: folder, NODE_COMPILE_CACHE }
}

export const PARLEY: SessionWanted['parley'] = {
  stdio: { command: 'node', args: ['/parley.js', 'stdio'], env: { PARLEY_KEY: 'k' } },
}

export interface DrivenOptions
  extends Partial<
    Pick<SessionWanted, 'resume' | 'replay' | 'fork' | 'prompts' | 'doubtful' | 'mode' | 'model' | 'folder' | 'parley'>
  > {
  command?: string
  name?: string
  /** What the scripted agent is like. */
  nature?: Record<string, unknown>
  environment?: Record<string, string>
  patience?: Partial<Patience>
  /** That of another session, which is of the same runner. */
  driver?: Driver
}

/** A session of the scripted agent, in a folder of its own, and everything that happens in it. */
export async function drivenAgent(options: DrivenOptions = {}) {
  const { command = SCRIPTED, name = 'Robo', nature = {}, environment, patience, folder = aFolder(), ...rest } = options
  const happenings: Happening[] = []
  const watchers = new Set<() => void>()
  const { driver: shared, ...own } = rest
  const driver =
    shared ??
    acpDriver(
      { command, name, environment: { ACP_AGENT: JSON.stringify(nature), ACP_AGENT_FOLDER: folder, ...environment } },
      { ...PATIENCE, ...patience },
    )
  const session = await driver.start({
    conversation: 'work',
    folder,
    parley: PARLEY,
    ...own,
    happens(happening) {
      happenings.push(happening)
      for (const look of watchers) look()
    },
  })
  onTestFinished(() => session.stop())
  return { driver, session, happenings, folder, says, of, until, asked, shownTools, prompt, lines }

  async function prompt(text: string) {
    return session.prompt({ text })
  }

  /** All that it said so far. */
  function says(type: 'text' | 'thought' = 'text'): string {
    return of(type)
      .map(({ text }) => text)
      .join('')
  }

  function of<Type extends Happening['type']>(type: Type) {
    return happenings.filter((happening) => happening.type === type) as Extract<Happening, { type: Type }>[]
  }

  async function until<Result>(find: () => Result | undefined | false): Promise<Result> {
    for (;;) {
      const found = find()
      if (found) return found
      await new Promise<void>((resolve) => {
        const look = () => {
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
      })
    }
  }

  /** The question with this number, when it is asked. */
  async function asked(number = 1): Promise<Ask> {
    return until(() => of('ask')[number - 1]?.ask)
  }

  /** The calls of tools as they are when everything told of them is put together. */
  function shownTools() {
    const tools = new Map<string, Record<string, unknown>>()
    for (const { step } of of('tool')) tools.set(step.id, { ...tools.get(step.id), ...step })
    return [...tools.values()]
  }

  /** What the agent wrote down: every prompt it saw, or every request that began something. */
  function lines(file: 'prompts' | 'begun'): Record<string, unknown>[] {
    return linesIn(folder, file)
  }
}

export function linesIn(folder: string, file: 'prompts' | 'begun' | 'lives' | 'sessions'): Record<string, unknown>[] {
  const path = join(folder, `${file}.jsonl`)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-acp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
