import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { environment } from '../agent.ts'

/** What a hub costs, since it was asked last. */
export interface Figures {
  /** The longest task in processor time, from one callback of its loop to the next. */
  longestTaskMs: number
  /** Whether it was so long because memory was collected, which takes long where other programs have the processors. */
  isCollecting: boolean
  rssBytes: number
  /** The heap after a collection. */
  heapBytes: number
}

/** A hub in a process of its own that tells what it costs, and ends in good order. */
export async function startWatchedHub(data: string, tokens: string) {
  const program = fileURLToPath(new URL('./watched-hub-process.ts', import.meta.url))
  const child = fork(program, [data, tokens], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  const ended = once(child, 'exit').then(([status, signal]) => `The hub has ended with ${status ?? signal}: ${said}`)
  const { url } = (await told()) as { url: string }
  return { url, ended, figures, end, said: () => said }

  async function figures(): Promise<Figures> {
    child.send('figures')
    return (await told()) as Figures
  }

  async function end(): Promise<string> {
    child.send('end')
    return ended
  }

  async function told(): Promise<unknown> {
    const [message] = await Promise.race([heard(), ended.then((why) => Promise.reject(new Error(why)))])
    return message
  }

  function heard(): Promise<unknown[]> {
    return new Promise((resolve) => child.once('message', (...message) => resolve(message)))
  }
}
