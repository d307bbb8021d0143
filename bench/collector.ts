import { setTimeout as pause } from 'node:timers/promises'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/**
 * `node --expose-gc --import collector.ts …`: at each SIGUSR2 all threads of the process throw away what nobody uses
 * any more, and it says on stderr how much of its heaps is still in use.
 */
// The collector gives memory back to the system in the background, and needs a second look for what had a finalizer.
const BREATH_MS = 50
const ROUNDS = 3
const threads = new BroadcastChannel('parley bench: collecting')
threads.unref()

if (isMainThread) {
  let others = 0
  let reported: number[] = []
  let all = Promise.withResolvers<void>()
  threads.onmessage = ({ data }) => {
    if (data === 'here') others++
    else if (reported.push(Number(data)) === others) all.resolve()
  }
  process.on('SIGUSR2', async () => {
    reported = []
    all = Promise.withResolvers()
    threads.postMessage('collect')
    const own = await collect()
    if (others > 0) await all.promise
    const heapMb = [own, ...reported].reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20
    process.stderr.write(`collected, ${heapMb} MB of heap in use\n`)
  })
} else {
  threads.onmessage = async () => threads.postMessage(await collect())
  threads.postMessage('here')
}

async function collect(): Promise<number> {
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await pause(BREATH_MS)
  }
  return process.memoryUsage().heapUsed
}
