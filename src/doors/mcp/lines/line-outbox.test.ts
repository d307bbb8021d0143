import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createOutbox } from './line-outbox.ts'

test('[S181] nothing more is begun for a connection that is gone', () => {
  const socket = new Socket()
  const { isFull } = createOutbox(socket, () => expect.unreachable())
  expect(isFull()).toBe(false)
  socket.destroy()
  expect(isFull()).toBe(true)
})
