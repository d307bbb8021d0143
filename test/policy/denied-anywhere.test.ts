import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/hub.ts'
import { startGoverned } from '../support/policy/governed.ts'
import { startGateway, untilMount } from '../support/upstream/gateway.ts'
import { realServer } from '../support/upstream/real-servers.ts'

test('[G152] a rule about secrets keeps them also from a tool that takes a list of paths', async () => {
  const folder = await temporaryFolder()
  for (const name of ['.env', 'a.txt']) writeFileSync(join(folder, name), `in ${name}`)
  const secrets = { arguments: { '*': { path: '/**/.env' } }, decision: 'deny_abort' }
  const servers = { files: realServer('filesystem', [folder]) }
  const { connect, gateway } = await startGateway({ servers, policy: { rules: [secrets, { decision: 'allow' }] } })
  await untilMount(gateway, 'files', ({ state }) => state === 'ready')
  const client = await connect()
  const read = (...names: string[]) =>
    client.callTool({
      name: 'files_read_multiple_files',
      arguments: { paths: names.map((name) => join(folder, name)) },
    })
  await expect(read('a.txt', '.env')).rejects.toMatchObject({ code: -32950 })
  expect(JSON.stringify(await read('a.txt'))).toContain('in a.txt')
})

test('[G153] a rule about a number is about all that servers take for it', async () => {
  const dear = { id: 'dear', arguments: { price: { '>': 20 } }, decision: 'deny_continue' }
  const { connect, written } = await startGoverned({ policy: { rules: [dear, { decision: 'allow' }] } })
  const client = await connect()
  const buy = (price: unknown) => client.callTool({ name: 'diary_write', arguments: { price } })
  for (const price of [200, '200', ' 200 ', [200], { value: 200 }, [{ amount: '$200.00' }]])
    await expect(buy(price)).rejects.toMatchObject({ code: -32951 })
  await buy('12')
  expect(written()).toEqual(['{"price":"12"}'])
})
