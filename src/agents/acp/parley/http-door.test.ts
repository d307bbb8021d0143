import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../test/support/driven/driven-agent.ts'
import { processWith } from '../../../io/descendants.ts'
import { openHttpDoor } from './http-door.ts'

/** A door to a program that notes its number and says nothing. */
async function door() {
  const pids = join(aFolder(), 'pids')
  const { PATH = '' } = process.env
  const server = { command: 'sh', args: ['-c', `echo $$ >> ${pids}; exec cat > /dev/null`], env: { PATH } }
  const { url, headers, close } = await openHttpDoor({ folder: '/', server })
  return { begin, started, running: () => started().filter((pid) => processWith(pid)), close }

  function begin() {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const accept = 'application/json, text/event-stream'
    return fetch(url, { method: 'POST', body, headers: { ...headers, accept, 'content-type': 'application/json' } })
  }

  function started(): number[] {
    return existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number) : []
  }
}

test('[O242] however many sessions an agent begins at once, it has few, and none outlives it', async () => {
  const { begin, started, running, close } = await door()
  await Promise.all(Array.from({ length: 12 }, begin))
  await expect.poll(() => started().length).toBeGreaterThan(3)
  await expect.poll(() => running().length).toBeLessThan(5)
  await close()
  await expect.poll(running).toEqual([])
})

test('[O242] a session that is just beginning when its agent ends is ended, too', async () => {
  const { begin, started, running, close } = await door()
  const asked = Array.from({ length: 12 }, () => begin().catch(() => {}))
  await expect.poll(() => started().length, { interval: 1 }).toBeGreaterThan(0)
  await close()
  await Promise.all(asked)
  await expect.poll(running).toEqual([])
})
