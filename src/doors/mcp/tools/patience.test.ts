import { expect, test } from 'vitest'
import { localPrincipal } from '../../../protocol/principal.ts'
import type { Caller } from '../surface.ts'
import { patienceMs } from './patience.ts'

const caller = (client: string, progress: boolean, waitedMs = 0): Caller => ({
  client,
  principal: localPrincipal('agent'),
  signal: new AbortController().signal,
  waitedMs,
  carry() {},
  tellProgress: progress ? async () => {} : undefined,
})

test('[M26] a call comes back before its client gives up on it', () => {
  const waits = (client: string, progress: boolean) => patienceMs(caller(client, progress))
  expect(waits('codex-mcp-client', true)).toBe(280_000)
  expect(waits('qwen-cli-mcp-client-parley', false)).toBe(280_000)
  expect(waits('gemini-cli-mcp-client', true)).toBe(580_000)
  for (const client of ['claude-code', 'opencode', 'copilot-cli']) {
    expect(waits(client, true)).toBeUndefined()
    expect(waits(client, false)).toBe(50_000)
  }
  expect(waits('Cline', true)).toBe(50_000)
  expect(waits('somebody', false)).toBe(50_000)
})

test('[M38] a call that waited at another hub before comes back as early as it would have there', () => {
  expect(patienceMs(caller('codex-mcp-client', true, 100_000))).toBe(180_000)
  expect(patienceMs(caller('somebody', false, 15_000), 20)).toBe(5000)
  expect(patienceMs(caller('claude-code', true, 100_000))).toBeUndefined()
  // Answers that came meanwhile are looked for, however late it is.
  expect(patienceMs(caller('somebody', false, 100_000))).toBe(1000)
})

test('[M26] what the hub is told wins over what is known of a client', () => {
  expect(patienceMs(caller('codex-mcp-client', true), 5)).toBe(5000)
  expect(patienceMs(caller('somebody', false), 0)).toBeUndefined()
})
