import type { Choice, Choices } from '../../protocol/frames/driving.ts'
import { problemInName, trimmedName } from '../../protocol/text/name.ts'
import type { Happening } from '../driver.ts'
import { type Loose, record, records, text } from './loose.ts'

type Control = 'mode' | 'model'

/** What a person can set at an agent, put together from the three ways in which agents tell it. */
export function createControls(happens: (happening: Happening) => void) {
  let modes: Choices | undefined
  let models: Choices | undefined
  let options: Loose[] = []
  return { take, commands, choices, switched, request }

  /** The result of a session that begins, or an update: what it does not mention stays. */
  function take(told: Loose) {
    if (Array.isArray(told.configOptions)) options = records(told.configOptions)
    const state = record(told.modes)
    modes = listed(records(state.availableModes), 'id', state.currentModeId) ?? modes
    const list = record(told.models)
    models = listed(records(list.availableModels), 'modelId', list.currentModelId) ?? models
    show()
  }

  function choices(control: Control): Choices | undefined {
    const own = control === 'mode' ? modes : models
    const option = optionOf(control)
    // The option is the newer way: where an agent has both, it knows what was changed by either.
    const fromOption = option && listed(optionValues(option), 'value', option.currentValue)
    return fromOption ?? own
  }

  function switched(control: Control, id: string) {
    const option = optionOf(control)
    if (option) option.currentValue = id
    if (control === 'mode' && modes) modes = { ...modes, current: id }
    if (control === 'model' && models) models = { ...models, current: id }
    show()
  }

  /** How to set it: by the method of its own, else as an option. */
  function request(control: Control, id: string): { method: string; params: Loose } | undefined {
    if (!choices(control)?.all.some((choice) => choice.id === id)) return undefined
    const option = optionOf(control)
    if (control === 'mode' && modes?.all.some((mode) => mode.id === id))
      return { method: 'session/set_mode', params: { modeId: id } }
    if (option) return { method: 'session/set_config_option', params: { configId: option.id, value: id } }
    return { method: 'session/set_model', params: { modelId: id } }
  }

  function commands(list: Loose[]) {
    const named = list.flatMap(({ name, description }) =>
      isName(name) ? { name, ...(text(description) && { description: text(description) }) } : [],
    )
    happens({ type: 'controls', commands: named })
  }

  function optionOf(control: Control): Loose | undefined {
    const ofCategory = options.filter(({ category, id }) => isName(id) && category === control)
    return ofCategory.find(({ id }) => id === control) ?? ofCategory[0]
  }

  function show() {
    const now = { modes: choices('mode'), models: choices('model') }
    if (now.modes || now.models)
      happens({ type: 'controls', ...(now.modes && { modes: now.modes }), ...(now.models && { models: now.models }) })
  }
}

export type Controls = ReturnType<typeof createControls>

/** Options may stand in groups. */
function optionValues(option: Loose): Loose[] {
  return records(option.options).flatMap((value) => (Array.isArray(value.options) ? records(value.options) : [value]))
}

/** The choices of a list; undefined where there is nothing to choose from. */
function listed(list: Loose[], key: string, current: unknown): Choices | undefined {
  const all = list.flatMap((item): Choice[] => {
    const id = item[key]
    if (!isName(id)) return []
    const description = text(item.description)
    return [{ id, name: text(item.name) ?? id, ...(description && { description }) }]
  })
  if (all.length === 0) return undefined
  return { ...(isName(current) && { current }), all }
}

/** Whether the hub would take it as it is: it comes back as the same. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && trimmedName(value) === value && problemInName(value) === undefined
}
