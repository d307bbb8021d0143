import { type ChoicesPage, type FoundChoice, pageOf, type WantedChoices } from '../../protocol/frames/asked/choices.ts'
import type { Happening } from '../driver.ts'
import { shortLists } from './short-lists.ts'

type Controls = Omit<Extract<Happening, { type: 'controls' }>, 'type'>

/** Of a list without bounds no more than this is kept to be looked through. */
const MOST_KEPT = 20_000
const LONGEST = 200

/** What an agent can do, as it told last. */
export function createLists() {
  const whole = new Map<WantedChoices['list'], readonly FoundChoice[]>()
  return { learn, page }

  /** The same, so short that people can be told of it. */
  function learn(told: Controls) {
    if (told.modes) whole.set('modes', told.modes.all)
    if (told.models) whole.set('models', told.models.all)
    if (told.commands)
      whole.set(
        'commands',
        told.commands.map((one) => ({ id: one.name, ...one })),
      )
    return shortLists(told)
  }

  /** Nothing where the agent has told of no such list. */
  function page(wanted: WantedChoices): ChoicesPage | undefined {
    const all = whole.get(wanted.list)
    if (!all) return undefined
    const { found, ...more } = pageOf(all.slice(0, MOST_KEPT), wanted)
    return { ...more, found: found.map(shortened) }
  }
}

/** Many of them are one answer. */
function shortened({ id, name, description }: FoundChoice): FoundChoice {
  const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)
  return { id, name: cut(name), ...(description && { description: cut(description) }) }
}
