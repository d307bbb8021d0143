import { temporaryFolder } from '../hub.ts'
import { freePort, startParley } from '../process.ts'

export type Restartable = Awaited<ReturnType<typeof startRestartable>>

/** A hub that can be killed and comes back at the same place. `prepare` writes what its folder has to begin with. */
export async function startRestartable(prepare: (data: string) => void = () => {}) {
  const port = await freePort()
  const data = await temporaryFolder()
  prepare(data)
  let running = start()
  await running.url
  let up: Promise<unknown> = running.url
  return { url: `http://localhost:${port}`, data, kill, up: () => up, orGone }

  function start() {
    return startParley(['serve', '--port', `${port}`, '--data', data], { PARLEY_MAX_RATE: '1000000' })
  }

  /** Resolves when it is back. */
  async function kill() {
    const restarted = Promise.withResolvers<void>()
    up = restarted.promise
    running.child.kill('SIGKILL')
    await running.ended
    running = start()
    await running.url
    restarted.resolve()
  }

  /** Some clients do not notice that the stream of an answer, or of their greeting, has ended, and sit out their limit. */
  function orGone<Result>(answer: Promise<Result>): Promise<Result> {
    return Promise.race([answer, running.ended.then(() => Promise.reject(new Error('The hub is gone')))])
  }
}
