import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ParleyError } from '../../src/protocol/errors.ts'
import { SOAK } from '../log/contract/place.ts'
import { families, pairs, TOKENS } from '../support/parsers/families.ts'
import { PARSERS, type Parser } from '../support/parsers/parsers.ts'

/** Four times as long each, for as long as it takes any time at all. */
const SIZES = SOAK > 1 ? [1000, 4000, 16_000, 64_000, 256_000] : [1000]
const WORTH_MS = 1
/** What takes four times as long for four times as much is right; a machine that does other things takes some more. */
const MOST_GROWTH = 10
/** Of one byte of a long text. */
const MOST_NS = 20_000
/** What is shorter than this holds up nobody, and is too short to be told from chance. */
const SHORT_MS = 25
/** Others in each soak; what may be merged is not left to chance. */
const SEED = Number(process.env.PARLEY_SEED ?? (SOAK > 1 ? Date.now() % 1_000_000 : 0))
// Only what hangs is stopped by it.
vi.setConfig({ testTimeout: SOAK > 1 ? 60 * 60_000 : 120_000 })

const kinds = SOAK > 1 ? new Map([...families(), ...pairs()]) : families()

test.each(Object.keys(PARSERS))('[S163] whoever reads %s takes as long as it is, whatever it is made of', (name) => {
  const parser = PARSERS[name] as Parser
  const slow: string[] = []
  for (const [family, make] of kinds) {
    const problem = problemWith(parser, make)
    if (problem) slow.push(`${family}: ${problem}`)
  }
  expect(slow).toEqual([])
})

test.each(Object.keys(PARSERS))('[S163] whoever reads %s comes to an end, and breaks over nothing', (name) => {
  const { most, read } = PARSERS[name] as Parser
  const texts = fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string()), { maxLength: 100 })
  fc.assert(
    fc.property(texts, (pieces) => void refusing(() => read(pieces.join('').slice(0, most)))),
    { numRuns: SOAK > 1 ? 2000 : 20, seed: SEED },
  )
})

/** A duration says something only where nothing else is asked of the machine, and so only in the soak. */
function problemWith({ most, read }: Parser, make: (size: number) => string): string | undefined {
  let before: { size: number; ms: number } | undefined
  for (const size of SIZES) {
    if (size > most || (before && size > 4000 && before.ms < WORTH_MS)) return undefined
    const text = make(size)
    let ms = processorMs(() => refusing(() => read(text)))
    // Once more, so that what was compiled or collected meanwhile does not count.
    for (let n = 0; n < 3 && isSlow(); n++)
      ms = Math.min(
        ms,
        processorMs(() => refusing(() => read(text))),
      )
    if (SOAK > 1 && isSlow()) return `${before?.ms ?? 0} ms for ${before?.size ?? 0}, ${ms} ms for ${size}`
    before = { size, ms }

    function isSlow(): boolean {
      const grows = before !== undefined && ms > before.ms * MOST_GROWTH
      return ms > SHORT_MS && (grows || (ms * 1e6) / text.length > MOST_NS)
    }
  }
  return undefined
}

/** Of this thread. */
function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** A refusal is an answer. */
function refusing(read: () => unknown) {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
  }
}
