import { createHook } from 'node:async_hooks'
import { claimFolder } from '../../src/claim.ts'
import { openHubProcess } from '../../src/hub-process.ts'
import type { Figures } from './watched-hub.ts'

const [, , data = '', tokens = ''] = process.argv
const claim = await claimFolder({ data, host: '127.0.0.1', tokens, ports: [0] })
const given = { log: 'error', 'max-rate': '1000000' }
const hub = await openHubProcess({ claim, data, tokens, given, maxWaitSeconds: 1 })
const collect = (globalThis as { gc?: () => void }).gc

let longestTaskMs = 0
let task = process.threadCpuUsage()
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
    longestTaskMs = Math.max(longestTaskMs, (user + system) / 1000)
    task = process.threadCpuUsage()
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
  collect?.()
  const heapBytes = process.memoryUsage().heapUsed
  process.send?.({ longestTaskMs, rssBytes, heapBytes } satisfies Figures)
  // What it takes to tell does not count.
  setImmediate(() => {
    task = process.threadCpuUsage()
    longestTaskMs = 0
  })
}
