import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addressesOf, bindEach, portOf } from './bind.ts'
import { bindListener } from './listener.ts'

const BOTH = ['127.0.0.1', '::1']

function newServer(): Server {
  const server = createServer()
  onTestFinished(() => void server.close())
  return server
}

/** Listens at this address of this machine, and nobody does at the other. */
async function squatter(address: string): Promise<number> {
  const servers = await bindEach(BOTH, 0, newServer)
  const port = portOf(servers[0] as Server) ?? 0
  const other = servers[1 - BOTH.indexOf(address)]
  await new Promise((resolve) => other?.close(resolve))
  return port
}

async function answers(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address)
  onTestFinished(() => void socket.destroy())
  return once(socket, 'connect').then(
    () => true,
    () => false,
  )
}

test('[C90] every name of this machine for itself means both of its addresses', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '[::1]']) expect(addressesOf(host)).toEqual(BOTH)
  for (const host of ['0.0.0.0', '::', '192.168.1.7', 'hub.example']) expect(addressesOf(host)).toEqual([host])
})

test('[C90] any free port is the same at all addresses, and an address that there is not is left out', async () => {
  const ports = (await bindEach(BOTH, 0, newServer)).map(portOf)
  expect([ports.length, new Set(ports).size]).toEqual([2, 1])
  // Set aside for documentation, so that no machine has it.
  for (const addresses of [
    ['127.0.0.1', '192.0.2.1'],
    ['192.0.2.1', '127.0.0.1'],
  ])
    expect(await bindEach(addresses, 0, newServer)).toHaveLength(1)
  await expect(bindEach(['192.0.2.1'], 0, newServer)).rejects.toThrow('EADDRNOTAVAIL')
})

test.each(BOTH)(
  '[C91] a port that another program has at %s is taken, and nothing is left at the other',
  async (its) => {
    const port = await squatter(its)
    await expect(bindEach(BOTH, port, newServer)).rejects.toThrow(`Port ${port} is used by another program`)
    expect(await Promise.all(BOTH.map((address) => answers(address, port)))).toEqual(BOTH.map((each) => each === its))
  },
)

test('[C91] who comes to a port that is only tried keeps no hub from another one', async () => {
  const port = await squatter('::1')
  const visitor = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void visitor.destroy())
  const listener = await bindListener('127.0.0.1', [port, 0])
  onTestFinished(listener.close)
  expect(listener.port).not.toBe(port)
})

test('[C91] a free port that another program has at the second address is no free port', async () => {
  const taken = await squatter('::1')
  let tries = 0
  // The system would offer that very port one time in many thousands.
  const offered = () => {
    const server = newServer()
    const { listen } = server
    if (tries++ === 0) server.listen = ((_: number, ...rest: never[]) => listen.call(server, taken, ...rest)) as never
    return server
  }
  const bound = (await bindEach(BOTH, 0, offered)).map(portOf)
  expect([tries, bound.length, bound.includes(taken), await answers('127.0.0.1', taken)]).toEqual([4, 2, false, false])
})
