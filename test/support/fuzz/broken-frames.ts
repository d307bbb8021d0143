import type { Dice } from '../seeded.ts'

/** A frame as its fields, each value as JSON text, so that it can hold what no JavaScript value can. */
export type Fields = [name: string, json: string][]

export interface RawFrame {
  bytes: Buffer
  binary: boolean
}

const NAMES = ['type', 'id', 'key', 'message', 'answer', '__proto__', 'constructor', 'toString', 'session_id', '']
const TYPES = [
  'ack',
  'chat',
  'user_response',
  'hello',
  'read',
  'list',
  'post',
  'answer',
  'rename',
  'search',
  'error',
  '__proto__',
]
const ODD = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\n\\t"',
  '"\\ud800"',
  '"x\\udfff\\ud800x"',
  '"a\\u0000b"',
  '[]',
  '{}',
  '{"__proto__":{"type":"ack"},"constructor":7}',
  '"0000000000000000"',
  '"9999999999999999"',
  '"99999999999999999"',
  '"１２３４５６７８９０１２３４５６"',
  '"toString"',
  `"${'n'.repeat(201)}"`,
  `"${'t'.repeat(70_000)}"`,
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
]
const SCRAPS = ['\u0000', '{', '}', '"', '\\', ',', '\ufeff', '😀', '\u2028', '//', 'NaN', '1e999', '\n']

/** Takes a good frame and spoils it once or several times. Now and then it stays good, which the hub must see too. */
export function breakFrame(dice: Dice, good: Fields): RawFrame {
  const fields = dice.chance(0.6) ? bend(dice, good) : good
  const text = dice.chance(0.25) ? cutUp(dice, textOf(fields)) : textOf(fields)
  const bytes = dice.chance(0.15) ? spoilBytes(dice, Buffer.from(text)) : Buffer.from(text)
  return { bytes, binary: dice.chance(0.03) }
}

export function wholeFrame(fields: Fields): RawFrame {
  return { bytes: Buffer.from(textOf(fields)), binary: false }
}

function textOf(fields: Fields): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Still a JSON object, but seldom what it was. */
export function bend(dice: Dice, good: Fields): Fields {
  const place = dice.below(good.length)
  const rest = good.filter((_, n) => n !== place)
  const name = good[place]?.[0] ?? ''
  switch (dice.below(6)) {
    case 0:
      return rest
    case 1:
      return [['type', JSON.stringify(dice.pick(TYPES))], ...good.filter(([name]) => name !== 'type')]
    case 2:
      return [...good, [dice.pick(NAMES), dice.pick(ODD)]]
    case 3:
      return [...rest, [name, `[${good[place]?.[1]}]`]]
    default:
      return [...rest, [name, dice.pick(ODD)]]
  }
}

function cutUp(dice: Dice, text: string): string {
  const place = dice.below(text.length + 1)
  switch (dice.below(6)) {
    case 0:
      return text.slice(0, place)
    case 1:
      return text + text
    case 2:
      return ` ${text}\n`
    case 3:
      return `[${text}]`
    case 4:
      return ''
    default:
      return text.slice(0, place) + dice.pick(SCRAPS) + text.slice(place)
  }
}

function spoilBytes(dice: Dice, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  if (dice.chance(0.3)) return bytes.subarray(0, dice.below(bytes.length))
  for (let flips = 1 + dice.below(3); flips > 0; flips--) {
    const place = dice.below(bytes.length)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << dice.below(8))
  }
  return bytes
}
