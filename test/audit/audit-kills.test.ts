import { expect, test } from 'vitest'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { verified } from '../support/policy/audited.ts'
import { startParley } from '../support/process.ts'

const KILLS = 3
const TELLERS = 4

test('[G86] hubs that are killed while calls are told lose no link and make none twice', async () => {
  const data = await temporaryFolder()
  let told = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const hub = startParley(['serve', '--data', data, '--port', '0'])
    const url = await hub.url
    const enough = told + 40
    const tellers = Array.from({ length: TELLERS }, async () => {
      while (await tell(url)) if (++told >= enough) hub.child.kill('SIGKILL')
    })
    await Promise.all([...tellers, hub.ended])
  }
  const hub = await startHub(data)
  await hub.close()
  const { links, problems, pending } = await verified(data)
  expect({ problems, pending }).toEqual({ problems: [], pending: 0 })
  // What was told may not have been answered.
  expect(links).toBeGreaterThanOrEqual(told)
  expect(links).toBeLessThanOrEqual(told + KILLS * TELLERS)
})

/** Whether the hub was still there. */
async function tell(url: string): Promise<boolean> {
  const event = { session_id: 'work', type: 'tool_call', tool_name: 'x', tool_args: '{}' }
  const headers = { 'content-type': 'application/json' }
  const request = fetch(`${url}/api/tools/chat_assistant_event`, {
    method: 'POST',
    headers,
    body: JSON.stringify(event),
  })
  return request.then(
    ({ status }) => {
      expect(status).toBe(200)
      return true
    },
    () => false,
  )
}
