import { isLoopback } from './guard.ts'

/** Where a browser on this machine finds the hub; one address, because a cookie is of one host name. */
export function addressOf(host: string, port: number): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
