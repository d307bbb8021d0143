import { isMainThread } from 'node:worker_threads'

/**
 * `node --import loop-recorder.ts …`: at each SIGUSR2 the process says on stderr how much its event loop computed at
 * most between two turns since the last one. It is CPU time: on a busy machine any task takes long by the clock.
 */
if (isMainThread) {
  let longest = 0
  let before = cpuMs()
  setInterval(() => {
    const now = cpuMs()
    longest = Math.max(longest, now - before)
    before = now
  }, 1).unref()
  process.on('SIGUSR2', () => {
    process.stderr.write(`longest task ${longest} ms\n`)
    longest = 0
  })
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
