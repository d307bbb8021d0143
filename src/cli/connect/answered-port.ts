import { connect } from 'node:net'
import { ParleyError } from '../../protocol/errors.ts'

const HTTP_PORT = 80

/** Whether a program listens at a port of this machine. */
export function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** The same of an address of this machine. */
export function isAnsweredAt(address: string): Promise<boolean> {
  return isAnswered(Number(new URL(address).port || HTTP_PORT))
}

export function noHubAt(address: string): ParleyError {
  return new ParleyError('no_hub_over_http', { url: new URL(address).origin })
}
