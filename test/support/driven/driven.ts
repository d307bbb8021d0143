import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Driver } from '../../../src/agents/driver.ts'
import { type OrchestratorParts, openOrchestrator } from '../../../src/agents/orchestrator.ts'
import type { View } from '../../../src/chat/view.ts'
import { lineTransport } from '../../../src/cli/run/line-transport.ts'
import type { AgentState } from '../../../src/protocol/entries/agent-state.ts'
import { BEFORE_ALL, type Body, type Entry } from '../../../src/protocol/entries/entry.ts'
import { startHubWithSocket, temporaryFolder } from '../hub.ts'

export interface RunnerOptions extends Partial<OrchestratorParts> {
  driver: Driver
}

/** A hub and an orchestrator beside it, each as it really is, in one conversation unless a name is given. */
export async function startDriven(options: RunnerOptions, folder?: string) {
  const data = folder ?? (await temporaryFolder())
  const hub = await startHubWithSocket(data)
  const runner = await startRunner(data, options)
  return { data, hub, view: hub.view, runner, watch: watching(hub.view) }
}

export async function startRunner(data: string, options: RunnerOptions) {
  const problems: unknown[] = []
  const runner = await openOrchestrator({
    folder: data,
    name: 'robot',
    conversation: options.name === undefined ? 'work' : undefined,
    maxSessions: 5,
    idleMs: 60_000,
    delivery: 'next',
    state: join(data, 'runner.db'),
    connect: () => lineTo(data),
    hasToken: false,
    parley: async () => ({ stdio: { command: '', args: [], env: {} } }),
    report: (error) => problems.push(error),
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= runner.close())
  onTestFinished(close)
  return { close, problems, gaveUp: runner.gaveUp }
}

export function lineTo(data: string) {
  const args = ['stdio', '--surface', 'orchestrator', '--data', data]
  return lineTransport({ args, env: {}, cwd: data, line: randomUUID(), tell() {} })
}

/** Resolves when the agent of a conversation is said to be so. */
export async function untilAgent(view: View, state: AgentState, conversation = 'work') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (view.agentState(conversation) === state) resolve()
  }
  const { close } = view.inbox.onAgent(look)
  look()
  await promise
  close()
}

/** Waits until a conversation has what a test expects. */
export function watching(view: View, conversation = 'work') {
  const seen: Entry[] = []
  let wake = () => {}
  const following = view.follow(
    { conversation, after: BEFORE_ALL },
    {
      async entries(entries) {
        seen.push(...entries)
        wake()
      },
      failed(error) {
        throw error
      },
    },
  )
  onTestFinished(following.close)
  return { seen, bodies, until }

  function bodies<Kind extends Body['kind']>(kind: Kind): Extract<Body, { kind: Kind }>[] {
    return seen.map(({ body }) => body).filter((body) => body.kind === kind) as Extract<Body, { kind: Kind }>[]
  }

  /** The bodies of a kind, once there are so many. */
  async function until<Kind extends Body['kind']>(kind: Kind, many = 1): Promise<Extract<Body, { kind: Kind }>[]> {
    while (bodies(kind).length < many)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return bodies(kind)
  }
}
