import { expect, test } from 'vitest'
import { safeAddress } from './safe-address.ts'

const FAR = 'https://far.example/mcp'
const HERE = 'http://127.0.0.1:4000/mcp'

test.each([
  [FAR, 'https://login.example/authorize?x=1'],
  [HERE, 'https://login.example/authorize'],
  [HERE, 'http://localhost:9000/authorize'],
  [HERE, 'http://[::1]:9000/authorize'],
])('[S122] people of %s are sent to %s', (server, address) => {
  expect(safeAddress(address, server).href).toBe(address)
})

test.each([
  [FAR, 'http://login.example/authorize'],
  [FAR, 'javascript:alert(1)'],
  [FAR, 'file:///etc/passwd'],
  [FAR, 'data:text/html,x'],
  [FAR, 'ftp://login.example/'],
  [FAR, 'nowhere'],
  [FAR, 'http://127.0.0.1:4000/api'],
  [FAR, 'https://localhost:4000/api'],
  [FAR, 'http://127.1/'],
  [FAR, 'http://2130706433/'],
  [FAR, 'http://[::ffff:127.0.0.1]/'],
  [FAR, 'http://0.0.0.0:4000/'],
  [FAR, 'http://me.localhost/'],
  [HERE, 'http://login.example/authorize'],
  [HERE, 'javascript://localhost/%0aalert(1)'],
  [HERE, 'file://localhost/etc/passwd'],
])('[S122] nobody of %s is sent to %s, and nothing is asked there', (server, address) => {
  expect(() => safeAddress(address, server)).toThrow(TypeError)
})
