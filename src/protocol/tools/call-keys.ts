/** The keys of entries that tell of calls of mounted tools. Clients give no entry such a key. */
export const CALL_KEYS = {
  /** The key of a call's beginning, by the client's own key for the call. */
  begun: (key: string) => `call:${key}`,
  result: (call_id: string) => `result:${call_id}`,
  told: (call_id: string) => `tell:${call_id}`,
}

export function isKeyOfCalls(key: string): boolean {
  return /^(?:call|result|tell):/.test(key)
}
