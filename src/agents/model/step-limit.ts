import { randomUUID } from 'node:crypto'
import type { AskOutcome, Happening } from '../driver.ts'

/** The steps in one turn without a word of the person, and those in a row in which no call of a tool came to anything. */
const MOST_STEPS = 100
const MOST_IN_VAIN = 10
const GO_ON = 'Go on'
const STOP = 'Stop'

type Verdict = 'go on' | 'stop' | { words: string }

/** Asks the person whether a turn is to go on that takes very long, or that leads nowhere. */
export function createStepLimit(happens: (happening: Happening) => void) {
  let steps = 0
  let inVain = 0
  return { begin, taken }

  /** The person has spoken. */
  function begin() {
    steps = 0
    inVain = 0
  }

  /** A step was taken, and another one is to follow. */
  async function taken(inVainAgain: boolean, signal: AbortSignal): Promise<Verdict> {
    steps += 1
    inVain = inVainAgain ? inVain + 1 : 0
    const isStuck = inVain >= MOST_IN_VAIN
    if (!isStuck && steps < MOST_STEPS) return 'go on'
    const outcome = await asked(
      isStuck
        ? `The model has called tools ${inVain} times in a row, and every call failed. Should it go on?`
        : `The model has taken ${steps} steps in this turn. Should it go on?`,
      signal,
    )
    begin()
    return verdictOf(outcome)
  }

  function asked(text: string, signal: AbortSignal): Promise<AskOutcome> {
    return new Promise((settled) => {
      signal.addEventListener('abort', () => settled({ outcome: 'withdrawn' }), { once: true })
      const options = [{ label: GO_ON }, { label: STOP }]
      happens({ type: 'ask', ask: { key: randomUUID(), text, options, settled } })
    })
  }
}

function verdictOf(outcome: AskOutcome): Verdict {
  if (outcome.outcome !== 'answered' || outcome.reply === STOP) return 'stop'
  return outcome.reply === GO_ON ? 'go on' : { words: outcome.reply }
}
