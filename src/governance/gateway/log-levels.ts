import type { Gateway } from './gateway.ts'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** What clients want to be told of what servers log: servers tell what any of them wants, and each gets its own. */
export function createLogLevels(gateway: Gateway) {
  const wanted = new Map<object, number>()
  return { want, wants, isWanted: (client: object) => wanted.has(client), forget }

  function want(client: object, level: unknown) {
    wanted.set(client, Math.max(0, LEVELS.indexOf(String(level))))
    const lowest = LEVELS[Math.min(...wanted.values())]
    for (const mount of gateway.all())
      if (mount.can('logging') && !mount.isModern())
        mount
          .request('logging/setLevel', { level: lowest }, { client })
          .catch((error: Error) => mount.log.tell(error.message))
  }

  /** A client that has said nothing gets everything. */
  function wants(client: object, level: unknown): boolean {
    return LEVELS.indexOf(String(level)) >= (wanted.get(client) ?? 0)
  }

  function forget(client: object) {
    wanted.delete(client)
  }
}
