import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test.each([
  [['127.0.0.1', '::1'], 'http://localhost:1'],
  [['127.0.0.1'], 'http://127.0.0.1:1'],
  [['::1'], 'http://[::1]:1'],
  [['::'], 'http://localhost:1'],
  [['0.0.0.0'], 'http://127.0.0.1:1'],
  [['192.168.1.7'], 'http://192.168.1.7:1'],
  [['hub.example'], 'http://hub.example:1'],
])('[S33] a hub that has %s is at %s', (held, url) => expect(addressOf(held, 1)).toBe(url))
