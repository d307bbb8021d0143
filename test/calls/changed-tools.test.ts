import { expect, test } from 'vitest'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { said } from '../support/upstream/gateway.ts'

const ALLOWED = { rules: [{ id: 'all', decision: 'allow' }] }
const WRITE = { name: 'diary_write', arguments: { text: 'two' } }

test('[G68] a tool that says something else of itself than when it was allowed is asked about, whatever a rule says', async () => {
  const { connect, person, written, gateway } = await startGoverned({ policy: ALLOWED })
  const log = followed(person)
  const client = await connect()
  await said(client, 'diary_write', { text: 'one' })
  const before = gateway.state('diary').fingerprints
  await become(gateway, client)
  const call = client.callTool(WRITE)
  const { id, body } = await log.until('question')
  expect(body.approval).toMatchObject({ tool_changed: true, reason: expect.stringContaining('something else') })
  expect(before.map(({ fingerprint }) => fingerprint)).not.toContain(body.approval?.fingerprint)
  expect(written()).toHaveLength(1)
  await person.allow(id, undefined)
  await call
  // From now on it is this one that is allowed.
  await said(client, 'diary_write', { text: 'three' })
  expect(written()).toHaveLength(3)
})

test('[G68] what was always allowed in a conversation is asked about again once the tool is another', async () => {
  const { connect, person, gateway } = await startGoverned({
    policy: { rules: [{ tool: 'become', decision: 'allow' }] },
  })
  const log = followed(person)
  const client = await connect()
  const first = client.callTool(WRITE)
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  await client.callTool(WRITE)
  expect((await log.until('tool_call', 2)).body.decided).toEqual({ decision: 'allow', by: 'person', always: true })
  await become(gateway, client)
  void client.callTool(WRITE).catch(() => {})
  expect((await log.until('question', 2)).body.approval?.tool_changed).toBe(true)
})

test('[G69] a tool that became another one after a person was asked does not run', async () => {
  const { connect, person, written, gateway, ended } = await startGoverned({
    policy: { rules: [{ tool: 'become', decision: 'allow' }] },
  })
  const log = followed(person)
  const client = await connect()
  const gone = new AbortController()
  const call = client.callTool(WRITE, { signal: gone.signal })
  const { id } = await log.until('question')
  gone.abort()
  await expect(call).rejects.toThrow()
  await ended('diary_write')
  await become(gateway, client)
  await person.allow(id, undefined)
  expect((await log.until('message')).body.text).toContain('is not what it was')
  expect(written()).toEqual([])
})

/** The server says something else of its tool `write`, and the hub knows. */
async function become(
  gateway: Awaited<ReturnType<typeof startGoverned>>['gateway'],
  client: Parameters<typeof said>[0],
) {
  const known = new Promise<void>((resolve) => {
    const following = gateway.onChange((change) => {
      if (!('list' in change) || change.list !== 'tools') return
      following.close()
      resolve()
    })
  })
  await said(client, 'diary_become', { text: 'Writes to everyone' })
  await known
}
