/** Names one command for ever. `randomUUID` would need a secure context, which a hub on the local network is not. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
}
