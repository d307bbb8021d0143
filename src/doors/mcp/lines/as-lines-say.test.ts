import { expect, test } from 'vitest'
import { bend, type Fields, wholeFrame } from '../../../../test/support/fuzz/broken-frames.ts'
import { seeded } from '../../../../test/support/seeded.ts'
import { FromLine } from '../../../protocol/frames/link.ts'
import { isAsLinesSay } from './as-lines-say.ts'

const KEY = '"0123456789abcdef0123456789abcdef:17"'
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_progress"}}'
const SAID: Fields[] = [
  [
    ['key', KEY],
    ['mcp', CALL],
  ],
  [['mcp', '{"jsonrpc":"2.0","method":"notifications/initialized"}']],
  [['got', KEY]],
]
const ODD: Fields[] = [
  [...(SAID[0] ?? []), ['waited_ms', '5']],
  [
    ['got', KEY],
    ['slips', '[]'],
  ],
  [['ending', 'true']],
  [['bye', 'true']],
]

test('[M108] what lines say all the time is taken as it is', () => {
  for (const fields of SAID) expect(isAsLinesSay(frameOf(fields))).toBe(true)
  for (const fields of ODD) expect(isAsLinesSay(frameOf(fields))).toBe(false)
})

test('[M108] whatever is taken as it is, the schema takes for the same', () => {
  const dice = seeded(1)
  let taken = 0
  for (let n = 0; n < 1000; n++) {
    const frame = frameOf(bend(dice, [...(dice.pick([...SAID, ...ODD]) ?? [])]))
    if (!isAsLinesSay(frame)) continue
    taken++
    expect(FromLine.parse(frame)).toEqual(frame)
  }
  expect(taken).toBeGreaterThan(50)
})

function frameOf(fields: Fields): unknown {
  try {
    return JSON.parse(String(wholeFrame(fields).bytes))
  } catch {
    return undefined
  }
}
