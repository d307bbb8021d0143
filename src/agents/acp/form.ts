import type { Ask } from '../driver.ts'
import { type Loose, record, records, text } from './loose.ts'

interface FormField {
  ask: Pick<Ask, 'text' | 'options' | 'multi_select'>
  /** The value that a reply puts into the form; undefined where it is no value for it. */
  valuesOf(reply: string, choices: string[]): Loose | undefined
}

interface Choice {
  label: string
  value: string | boolean
  description?: string
}

const MOST_OPTIONS = 20
const LONGEST_LABEL = 200

/** The questions of a form that an agent sends, one for each field. */
export function formFields(message: string, schema: Loose): FormField[] {
  const properties = Object.entries(record(schema.properties)).map(([name, property]) => ({
    name,
    property: record(property),
    choices: choicesOf(record(property)),
  }))
  const required = Array.isArray(schema.required) ? schema.required : []
  const hasChoices = properties.some(({ choices }) => choices.length > 0)
  // An optional text beside choices is for an answer in other words: any question takes that anyway.
  const others = properties.filter(
    ({ name, property, choices }) =>
      hasChoices && choices.length === 0 && property.type === 'string' && !required.includes(name),
  )
  const asked = properties.filter((field) => !others.includes(field))
  return asked.map(({ name, property, choices }) => {
    const title = text(property.title) ?? (asked.length > 1 ? name : undefined)
    const lines = [message, title, text(property.description)].filter(
      (line, at, all) => line && all.indexOf(line) === at,
    )
    const other = others.find((field) => field.name.startsWith(name)) ?? (asked.length === 1 ? others[0] : undefined)
    const isMany = property.type === 'array'
    return {
      ask: {
        text: [...lines, ...(areShown(choices) ? [] : choices.map(({ label }) => `- ${label}`))].join('\n\n') || name,
        ...(choices.length > 0 && areShown(choices) && { options: choices.map(shown), multi_select: isMany }),
      },
      valuesOf(reply, taken) {
        const labels = taken.length > 0 ? taken : [reply]
        const values = choices.filter(({ label, value }) => labels.includes(label) || labels.includes(String(value)))
        if (choices.length > 0) {
          if (values.length === 0 && other) return { [other.name]: reply }
          const known = values.map(({ value }) => value)
          return { [name]: isMany ? (known.length > 0 ? known : [reply]) : (known[0] ?? reply) }
        }
        if (property.type !== 'number' && property.type !== 'integer') return { [name]: isMany ? [reply] : reply }
        const amount = Number(reply.replace(',', '.'))
        const isGood = reply.trim() !== '' && Number.isFinite(amount)
        return isGood && (property.type === 'number' || Number.isInteger(amount)) ? { [name]: amount } : undefined
      },
    }
  })
}

function choicesOf(property: Loose): Choice[] {
  if (property.type === 'boolean') return [choice('Yes', true), choice('No', false)]
  const items = property.type === 'array' ? record(property.items) : property
  const titled = records(items.oneOf ?? items.anyOf).flatMap((option) => {
    const value = text(option.const)
    return value ? [{ ...choice(text(option.title) ?? value, value), description: text(option.description) }] : []
  })
  if (titled.length > 0) return titled
  return (Array.isArray(items.enum) ? items.enum : []).flatMap((value) =>
    typeof value === 'string' ? [choice(value, value)] : [],
  )
}

function choice(label: string, value: string | boolean): Choice {
  return { label, value }
}

/** More or longer ones are listed in the text instead. */
function areShown(choices: Choice[]): boolean {
  const labels = new Set(choices.map(({ label }) => label.trim()))
  const fit = [...labels].every((label) => label !== '' && label.length <= LONGEST_LABEL)
  return choices.length <= MOST_OPTIONS && labels.size === choices.length && fit
}

function shown({ label, description }: Choice) {
  return { label, ...(description && { description: description.slice(0, 1000) }) }
}
