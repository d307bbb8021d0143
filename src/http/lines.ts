import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Access, Credentials } from './access.ts'

export interface LinesParts {
  access: Access
  /** How many may be open at once. */
  most: number
  report(error: unknown): void
}

interface Line {
  credentials: Credentials
  principal: Principal
  stream: Duplex | ServerResponse
}

const SWEEP_MS = 1000

/** What is open for longer than a look-up: it ends soon after its principal may not call any more, or is another. */
export function watchLines({ access, most, report }: LinesParts) {
  const lines = new Set<Line>()
  const sweeping = setInterval(sweep, SWEEP_MS).unref()
  return { add, count: () => lines.size, sweep, close: () => clearInterval(sweeping) }

  /** Throws when there is no room for it. */
  function add(line: Line) {
    if (lines.size >= most) throw new ParleyError('too_many_connections', { most })
    lines.add(line)
    line.stream.once('close', () => lines.delete(line))
  }

  function sweep() {
    for (const line of lines) if (!isStill(line)) line.stream.destroy()
  }

  function isStill({ credentials, principal }: Line): boolean {
    try {
      const { name, role, conversation } = access.principalOf(credentials, principal.role)
      return name === principal.name && role === principal.role && conversation === principal.conversation
    } catch (error) {
      // A hub that cannot tell who is there must not go on as if it could.
      if (!(error instanceof ParleyError)) report(error)
      return false
    }
  }
}
