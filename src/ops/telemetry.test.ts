import { expect, test } from 'vitest'
import { ParleyError } from '../protocol/errors.ts'
import { localPrincipal } from '../protocol/principal.ts'
import { createLogbook } from './logbook.ts'
import { createMetrics } from './metrics.ts'
import { createTelemetry } from './telemetry.ts'

test('[C25] of calls that come all the time only those are told that are refused, and all of them to who wants everything', () => {
  const told = (level: 'info' | 'debug') => {
    const written: string[] = []
    const out = { isTTY: false, writableLength: 0, write: (text: string) => written.push(text) }
    const logbook = createLogbook({ level, content: false, out })
    const telemetry = createTelemetry({ logbook, metrics: createMetrics() })
    const caller = { client: 'test', principal: localPrincipal('orchestrator'), signal: new AbortController().signal }
    for (const end of [{ answer: {} }, { error: new ParleyError('not_held', { conversation: 'work' }) }])
      telemetry.call({ tool: 'show_partial', often: true, caller, input: {}, started: performance.now() })(end)
    logbook.close()
    return written.join('').match(/"outcome":"\w+"/g)
  }
  expect(told('info')).toEqual(['"outcome":"not_held"'])
  expect(told('debug')).toEqual(['"outcome":"ok"', '"outcome":"not_held"'])
})
