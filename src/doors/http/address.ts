/** What clients take `localhost` for, the one or the other. */
export const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The address of a hub for a browser on this machine; only one, because a cookie belongs to one host name. It is
 * `localhost` only where the hub has all of it: at an address that it does not have, anybody could pass for it.
 */
export function addressOf(held: string[], port: number): string {
  const [first = ''] = held
  if (first === '::' || LOOPBACK.every((address) => held.includes(address))) return `http://localhost:${port}`
  if (first === '0.0.0.0') return `http://${LOOPBACK[0]}:${port}`
  return `http://${first.includes(':') ? `[${first}]` : first}:${port}`
}
