import { type Agent, openAgent, speakAs } from '../agent.ts'
import { besideUs, type Running, serve, start } from '../process.ts'
import type { Workplace } from '../workplace.ts'

const HUB = besideUs('bare-shape/hub.cjs')
const LINE = besideUs('bare-shape/line.cjs')

/** A hub and how an agent comes to it, the same for Parley and for what is compared with it. */
export interface Shape {
  hub: Running
  url: string
  /** An agent behind a line of its own, in a conversation of its own. */
  agent(name: string): Promise<Pick<Agent, 'running' | 'call'>>
}

export async function openBareShape({ env, file }: Workplace): Promise<Shape> {
  const words = bareWords(file('bare'))
  const hub = start([HUB, ...words], env())
  return { hub, url: await hub.url, agent }

  async function agent() {
    const running = start([LINE, ...words], env())
    const agent = speakAs(running)
    await agent.initialize()
    return { ...agent, running }
  }
}

/** Starts the hub as well, where nobody listens. */
export function startBareLine(file: string, { env }: Workplace): Running {
  return start([LINE, ...bareWords(file)], env())
}

export async function openParleyShape({ env, emptyData }: Workplace): Promise<Shape> {
  const data = emptyData()
  const hub = serve(data, env())
  const agent = (name: string) =>
    openAgent(env({ PARLEY_DATA: data, PARLEY_SESSION: name }), { words: ['--surface', 'agent'] })
  return { hub, url: await hub.url, agent }
}

function bareWords(file: string): string[] {
  return [`${file}.socket`, file]
}
