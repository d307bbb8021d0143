import { hash } from 'node:crypto'
import { nameIn } from '../../protocol/text/name.ts'

/** A tool and what it is given. */
export interface Called {
  name: string
  arguments?: Record<string, unknown>
}

/** Leaves room for what is called, and for what tells several questions of one call apart. */
const KEY_LENGTH = 150
const DIGEST_LENGTH = 22

/** Clients use their ids again, and two may use the same: who calls what with one makes it the id of one call. */
export function keyOfCall(id: unknown, visit: string | undefined, called: Called): string | undefined {
  const key = id === undefined ? undefined : keyed('call', id)
  return key && `${key}:${digestOf(visit, called)}`
}

/** Those of lines are never used again. */
export function keyed(kind: string, id: unknown): string | undefined {
  const name = nameIn(id)
  if (name === undefined) return undefined
  const short = name.length > KEY_LENGTH ? hash('sha256', name) : name
  return `${kind}:${short}`
}

function digestOf(visit: string | undefined, { name, arguments: input }: Called): string {
  return hash('sha256', JSON.stringify([visit, name, input]), 'base64url').slice(0, DIGEST_LENGTH)
}
