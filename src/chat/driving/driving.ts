import type { Clock } from '../../io/clock.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Driven, FailedRun, Runner } from '../../protocol/frames/driving.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'
import { fits } from '../../protocol/text/size.ts'
import { type Asked, createRequests } from './asked/requests.ts'
import { createPartials, type Grown } from './partials.ts'
import type { Presence } from './presence.ts'
import { createRunners } from './runners.ts'

export type Driving = ReturnType<typeof createDriving>

/** The state of a driven agent; nothing where nobody drives it any longer. */
export interface DrivenNews {
  conversation: string
  driven?: Driven
}

interface DrivingParts {
  clock: Clock
  presence: Pick<Presence, 'drive'>
  driven(news: DrivenNews): void
  grown(grown: Grown): void
}

/** Everyone is told all of it. */
const ABOUT_LIMIT_BYTES = 128 * 1024
const RUNNER_LEASE_S = 30

/** The drivers of agents and what they drive. In memory: after a restart they tell again. */
export function createDriving({ clock, presence, driven: told, grown }: DrivingParts) {
  const known = new Map<string, Driven>()
  const runners = createRunners(clock)
  const partials = createPartials({ clock, grown })
  const requests = createRequests(clock)
  return {
    runners,
    requests,
    offer,
    fail,
    begin,
    end,
    show,
    grow: partials.show,
    drivenIn: (conversation: string) => known.get(conversation),
    all: () => [...known],
    textsIn: partials.soFar,
    growing: partials.growing,
    happened(entry: Entry, wanted?: string) {
      partials.happened(entry)
      if (wanted !== undefined) runners.want(wanted)
    },
    forget: partials.forget,
    close,
  }

  function offer(runner: Runner, by: Asked, seconds = RUNNER_LEASE_S): number {
    mustBeShort(runner)
    return runners.offer(unsecret(runner), by, seconds)
  }

  function fail(runner: FailedRun): number {
    mustBeShort(runner)
    // Its name is made of the whole command line where it has no other.
    return runners.fail({ ...unsecret(runner), name: maskedText(runner.name).text })
  }

  /** Somebody holds it, and has said nothing of it yet. */
  function begin(conversation: string) {
    if (!known.has(conversation)) presence.drive(conversation, 'idle')
  }

  function show(conversation: string, driven: Driven) {
    mustBeShort(driven)
    const shown = driven.notice === undefined ? driven : { ...driven, notice: maskedText(driven.notice).text }
    known.set(conversation, shown)
    presence.drive(conversation, shown.state)
    told({ conversation, driven: shown })
  }

  /** Nobody holds it any more. */
  function end(conversation: string) {
    partials.end(conversation)
    presence.drive(conversation, undefined)
    if (known.delete(conversation)) told({ conversation })
  }

  function close() {
    runners.close()
    requests.close()
    partials.close()
  }
}

/** Command lines and addresses may hold keys, which no page is told. */
function unsecret<One extends Runner>(runner: One): One {
  const { agent, problem } = runner
  return {
    ...runner,
    agent: maskedText(agent).text,
    ...(problem !== undefined && { problem: maskedText(problem).text }),
  }
}

function mustBeShort(about: object) {
  if (!fits(JSON.stringify(about), ABOUT_LIMIT_BYTES))
    throw new ParleyError('text_too_large', { limit: ABOUT_LIMIT_BYTES })
}
