import { ParleyError } from '../../../protocol/errors.ts'
import {
  type ChoicesPage,
  type ChoicesQuery,
  type FoundChoice,
  pageOf,
  type WantedChoices,
} from '../../../protocol/frames/asked/choices.ts'
import type { Driven } from '../../../protocol/frames/driving.ts'
import type { Projection } from '../../conversation/projection.ts'
import type { Leases } from '../leases.ts'
import type { Runners } from '../runners.ts'
import type { Asked, Requests } from './requests.ts'

type List = WantedChoices['list']
/** All of a list, of a runner that has no process to ask. */
type KeptChoices = (runner: string, list: List) => Promise<FoundChoice[] | undefined>
type Lists = Pick<Driven, 'modes' | 'models' | 'commands' | 'commands_total'>

interface ChoicesParts {
  leases: Pick<Leases, 'leaseOf'>
  driving: {
    requests: Pick<Requests, 'ask'>
    runners: Pick<Runners, 'all' | 'holderOf' | 'named'>
    drivenIn(conversation: string): Lists | undefined
  }
  projection: Pick<Projection, 'runnerOf'>
}

/** Somebody looks at an empty list meanwhile. */
const PATIENCE_MS = 5000

/** Modes, models and commands by words and page by page: those that a message had no room for are with the runner. */
export function createChoicesOf({ leases, driving, projection }: ChoicesParts) {
  let kept: KeptChoices | undefined
  return { choices, allChoices, choicesKeptBy }

  function choicesKeptBy(found: KeptChoices) {
    kept = found
  }

  async function choices({ conversation, runner, ...wanted }: ChoicesQuery): Promise<ChoicesPage> {
    if (conversation === undefined) return ofRunner(runner ?? '', driving.runners.named(runner ?? ''), wanted)
    const told = driving.drivenIn(conversation)
    if (told) {
      const lease = isShort(told, wanted.list) ? await leases.leaseOf(conversation) : undefined
      return (lease && (await askFor(lease, wanted, conversation))) ?? pageOf(listIn(told, wanted.list), wanted)
    }
    const name = projection.runnerOf(conversation) ?? ''
    const known = driving.runners.all().find((one) => one.name === name)
    return known ? ofRunner(name, known, wanted) : pageOf([], wanted)
  }

  async function ofRunner(name: string, told: Lists, wanted: WantedChoices): Promise<ChoicesPage> {
    if (!isShort(told, wanted.list)) return pageOf(listIn(told, wanted.list), wanted)
    const by = driving.runners.holderOf(name)
    const answer = by && (await askFor(by, wanted))
    return answer ?? pageOf((await kept?.(name, wanted.list)) ?? listIn(told, wanted.list), wanted)
  }

  async function askFor(asked: Asked, wanted: WantedChoices, session_id?: string): Promise<ChoicesPage | undefined> {
    const { holder, principal } = asked
    const request = { type: 'choices', ...wanted, ...(session_id !== undefined && { session_id }) } as const
    return (await driving.requests.ask({ holder, principal }, request, PATIENCE_MS))?.choices
  }

  /** All of a list, as its runner has it now; nothing where that does not tell. */
  async function allChoices(runner: string, list: List): Promise<FoundChoice[] | undefined> {
    const all: FoundChoice[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const by = driving.runners.holderOf(runner)
      const page: ChoicesPage | undefined = by && (await askFor(by, { list, after }))
      if (!page) return undefined
      all.push(...page.found)
      after = page.next
    }
    return all
  }
}

interface SeenParts {
  service: { choices(wanted: ChoicesQuery): Promise<ChoicesPage> }
  /** The one conversation that there is, if there is only one. */
  only: string | undefined
  /** Throws where the principal may not see it. */
  seen(conversation: string): string
}

/** The same for a principal: who may see one conversation learns of no runner. */
export function choicesSeen({ service, only, seen }: SeenParts) {
  return async (wanted: ChoicesQuery): Promise<ChoicesPage> => {
    if (wanted.conversation !== undefined) seen(wanted.conversation)
    else if (only !== undefined) throw new ParleyError('unknown_runner', { runner: wanted.runner ?? '' })
    return service.choices(wanted)
  }
}

/** Whether some were left out. */
function isShort(told: Lists, list: List): boolean {
  return (list === 'commands' ? told.commands_total : told[list]?.total) !== undefined
}

function listIn({ commands = [], ...told }: Lists, list: List): FoundChoice[] {
  return list === 'commands' ? commands.map((one) => ({ id: one.name, ...one })) : (told[list]?.all ?? [])
}
