import { besideUs, PARLEY, start } from './process.ts'
import type { Timeline } from './timeline-client.ts'

const AGENT = `"${process.execPath}" "${besideUs('noting-agent.ts')}"`

/** `parley run` with the least agent there is. */
export function startNotingRunner(env: NodeJS.ProcessEnv, words: string[], nodeFlags: string[] = []) {
  return start([...nodeFlags, PARLEY, 'run', '--acp', AGENT, ...words], env)
}

/** Resolves when the turn is over, with the moment at which its prompt came to the agent. */
export async function noted(timeline: Timeline): Promise<bigint> {
  const answer = timeline.entryWhere(({ body: { kind, text = '' } }) => kind === 'message' && /^\d+$/.test(text))
  const over = timeline.entryWhere(({ body: { kind } }) => kind === 'turn')
  const { body } = await answer
  await over
  return BigInt(body.text ?? 0)
}
