import { createHook } from 'node:async_hooks'
import { PerformanceObserver } from 'node:perf_hooks'
import { openHubProcess } from '../../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../../src/hub/startup-lock.ts'
import type { Figures } from './watched-hub.ts'

const [, , data = '', tokens = ''] = process.argv
const startupLock = await takeStartupLock({ data, host: '127.0.0.1', tokens, ports: [0] })
const given = { log: 'error', 'max-rate': '1000000' }
const hub = await openHubProcess({ startupLock, data, tokens, given, maxWaitSeconds: 1 })
const collect = (globalThis as { gc?: () => void }).gc

/** Times by the clock, so that it can be told what was collected meanwhile. */
interface Task {
  ms: number
  from: number
  to: number
}

let longest: Task = { ms: 0, from: 0, to: 0 }
let began = performance.now()
let task = process.threadCpuUsage()
/** Collections, which are told of later than they were. */
let collections: { startTime: number; duration: number }[] = []
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] })
/** What runs at the end of a task belongs to it. */
const ends = new Set<number>()
let depth = 0
createHook({
  trackPromises: false,
  init(id, type) {
    if (type === 'TickObject') ends.add(id)
  },
  before(id) {
    if (depth++ > 0 || ends.has(id)) return
    const { user, system } = process.threadCpuUsage(task)
    const [ms, to] = [(user + system) / 1000, performance.now()]
    if (ms > longest.ms) longest = { ms, from: began, to }
    task = process.threadCpuUsage()
    began = to
  },
  after() {
    depth--
  },
  destroy(id) {
    ends.delete(id)
  },
}).enable()

process.on('message', async (word) => {
  if (word === 'figures') tell()
  if (word !== 'end') return
  await hub.end('ending')
  process.exit()
})
process.send?.({ url: hub.url })

function tell() {
  const rssBytes = process.memoryUsage.rss()
  const { ms: longestTaskMs, from, to } = longest
  const isCollecting = collections.some((one) => shared(one, longest) > (to - from) / 2)
  collect?.()
  const heapBytes = process.memoryUsage().heapUsed
  process.send?.({ longestTaskMs, isCollecting, rssBytes, heapBytes } satisfies Figures)
  // What it takes to tell does not count.
  setImmediate(() => {
    task = process.threadCpuUsage()
    began = performance.now()
    longest = { ms: 0, from: 0, to: 0 }
    collections = []
  })
}

function shared({ startTime, duration }: { startTime: number; duration: number }, { from, to }: Task): number {
  return Math.min(startTime + duration, to) - Math.max(startTime, from)
}
