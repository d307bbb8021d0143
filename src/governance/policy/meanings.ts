/** The name of something in an object, which some tools take for a text or a path. */
export class Named {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The text that a value is. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : value instanceof Named ? value.name : undefined
}

/** What a value may be taken for where a text is wanted. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  const text = textIn(value)
  if (text === undefined) return []
  const bare = text.trim()
  return bare === text ? [text] : [text, bare]
}

const NUMBER = /^["'=(\s]*(?:[A-Z]{3}(?=[^A-Za-z]))?[\s\p{Sc}+\-.,]*\p{Nd}/u
const ENDLESS = /^[+-]?inf(?:inity)?$/i
const GROUPED = /(?<=\d)[_,'’٬\s](?=\d)/g
/** Numbers with points between groups, as in 1.000,50 and 1.000.000. */
const POINTED = /^[+-]?\d{1,3}(?:\.\d{3})+(?=,\d|\.\d{3}|$)/

/** The numbers in a value: languages read them from texts, with blanks, signs of money and digits in groups. */
export function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  if (typeof value === 'boolean') return [Number(value)]
  if (typeof value !== 'string') return []
  const bare = value.slice(0, LONGEST_NUMBER).trim()
  if (ENDLESS.test(bare)) return [bare.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY]
  if (!NUMBER.test(bare)) return []
  const text = inDigits(bare.normalize('NFKC'))
    .replace(/^["'=(\s]*(?:[A-Z]{3})?/, '')
    .replace(/[\s\p{Sc}]*(?=[\d.,])/u, '')
  const isPointed = POINTED.test(text) && /[.,].*[.,]/.test(text)
  const pointed = isPointed ? [text.replaceAll('.', '').replace(',', '.')] : []
  const spellings = [...new Set([text.replace(GROUPED, ''), text.replace(',', '.'), ...pointed])]
  return spellings.map(numberIn).filter((number) => !Number.isNaN(number))
}

/** Digits of all scripts as 0 to 9, because languages read them all as their own. */
function inDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    let value = 0
    while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value++
    return String(value)
  })
}

const TRUE = ['true', 't', 'yes', 'y', 'on', '1']
const FALSE = ['false', 'f', 'no', 'n', 'off', '0']

/** The truth in a value where true or false is wanted. */
export function truthIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string' || value.length > LONGEST_WORD) return undefined
  const word = value.trim().toLowerCase()
  return TRUE.includes(word) ? true : FALSE.includes(word) ? false : undefined
}

export function isNull(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.length <= LONGEST_WORD && /^\s*null\s*$/i.test(value))
}

const LONGEST_WORD = 100
const LONGEST_NUMBER = 10_000

/** The number as far as the text is one. */
function numberIn(text: string): number {
  const whole = Number(text)
  return Number.isNaN(whole) ? Number.parseFloat(text) : whole
}
