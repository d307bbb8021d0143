import { timingSafeEqual } from 'node:crypto'

/** Whether the caller has the secret of the hub's card, and so may read the data folder anyway. */
export function showsSecret(authorization = '', secret: string): boolean {
  const [given, right] = [Buffer.from(authorization), Buffer.from(`Bearer ${secret}`)]
  return given.length === right.length && timingSafeEqual(given, right)
}
