import { claimFolder } from '../../src/claim.ts'
import { openHubProcess } from '../../src/hub-process.ts'
import type { Figures } from './watched-hub.ts'

const [, , data = '', tokens = ''] = process.argv
const claim = await claimFolder({ data, host: '127.0.0.1', tokens, ports: [0] })
const given = { log: 'error', 'max-rate': '1000000' }
const hub = await openHubProcess({ claim, data, tokens, given, maxWaitSeconds: 1 })
const collect = (globalThis as { gc?: () => void }).gc

let longestTurnMs = 0
let turn = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(turn)
  longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000)
  turn = process.threadCpuUsage()
}, 1)

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
  process.send?.({ longestTurnMs, rssBytes, heapBytes } satisfies Figures)
  // What it takes to tell does not count.
  setImmediate(() => {
    turn = process.threadCpuUsage()
    longestTurnMs = 0
  })
}
