import { expect, onTestFinished, test } from 'vitest'
import { startGateway, untilMount, upstream } from '../../../test/support/upstream/gateway.ts'
import { createSubscriptions } from './subscriptions.ts'

test('[G335] everybody who follows at the same moment is told that the server refuses', async () => {
  const { gateway } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: 'legacy' }) } })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  const { follow, close } = createSubscriptions(gateway)
  onTestFinished(() => void close())
  const uri = 'gateway://demo/memo://none'
  const followers = await Promise.allSettled([follow(uri), follow(uri)])
  expect(followers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(follow(uri)).rejects.toThrow('There is none')
})
