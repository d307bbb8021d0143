import { isSecretName, NAMES } from './secret-names.ts'
import { isPlainValue, MASK, type Masks, type Part, runsIn } from './token-runs.ts'

// Every repetition is bounded, or begins where no other match can have begun, or cannot fail once it has begun:
// a hostile text takes no longer than another.
const KNOWN = new RegExp(
  [
    '\\[masked\\]',
    '(?<![A-Za-z0-9])(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}',
    '(?<![A-Za-z0-9])github_pat_\\w{20,}',
    '(?<![A-Za-z0-9])sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[\\w-]{16,}|[A-Za-z0-9]{20,}[\\w-]*)',
    '(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
    '(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
    '(?<![A-Za-z0-9])xox[a-z]-[\\w-]{10,}',
    '(?<![A-Za-z0-9])AIza[\\w-]{35,}',
    '(?<![A-Za-z0-9])ya29\\.[\\w-]{20,}',
    '(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}',
    '(?<![A-Za-z0-9])glpat-[\\w-]{20,}',
    '(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}',
    '(?<![A-Za-z0-9])pypi-[\\w-]{50,}',
    'parley_[\\w-]{43,}',
    '(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?',
  ].join('|'),
  'g',
)
const BREAK = '(?:[ \\t\\r\\n]|\\\\[rn]){1,8}'
/** Lines of base64, directly behind their head; a short one only as the last, before the end. */
const KEY = new RegExp(
  `(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----)(?:${BREAK}[A-Za-z0-9+/]{40,2048}={0,2})*(?:${BREAK}[A-Za-z0-9+/]{1,76}={0,2}(?=${BREAK}-----END ))?`,
  'g',
)
const BEARER = /(?<![A-Za-z=])((?:Bearer|Basic)[ \t]{1,4})(?:(?=\S{0,60}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{16,})/gi
const IN_URL = /(:\/\/[^\s/:@'"]{0,200}:)[^\s/@'"]{1,500}(?=@)/g
/** The host and path, without what is before the `@` and after the question mark. */
const HOST_AND_PATH = /(:\/\/(?:[^\s/?#"'`<>;|&]*@)?)[^\s?#"'`<>;|&]*/g
/** Names are found by the separator, which is rarer than words are; then back to the name before it. */
const NAMED = /([:=])(?<=(?<![\w.-])(([\w.-]{1,100})((?:\\{1,7})?["'])?[ \t]{0,4})[:=])[ \t]{0,4}/g
const OPTION = /(?<![\w=-])--([\w-]{1,60})[ \t]{1,4}/g
/**
 * A quoted text ends at the next quote of any kind: what a shell takes for the end of it may be another than what an
 * eye does.
 */
const QUOTED = /(["'])[^"'`\r\n]+(?=["'`])/y
/**
 * Its first word: a quote that is not the first may end what began before the name, and a command may follow. The whole
 * word, or the end of the line would be looked for behind each of its letters.
 */
const MAYBE_QUOTED = /(\\{0,7}["'])[^\s"'`]+(?![^\s"'`])(?=[^"'`\r\n]*["'`])/y
/** One word. What begins with a dash is an option. */
const PLAIN = /((?:\\{0,7}["'])?)(?!-[A-Za-z-])[^\s"'`;&,\\|<>(){}]+/y
const SCHEME = /(?:\\{0,7}["'])?(?:Bearer|Basic|Token)[ \t]{1,4}/iy
/** Another cookie of the same line. */
const NEXT_COOKIE = /(;[ \t]?[\w.-]{1,100}=)(?=[^\s;]{0,60}\d)[\w.+%-]{16,}/y
const HEADER = /^(?:.*-)?(?:authorization|cookie)$/i

/** The secrets in a text. The host and the path of a URL are never masked. */
export function secretsIn(text: string): Masks {
  const found = [
    ...Array.from(text.matchAll(KNOWN), secretOf),
    ...Array.from(text.matchAll(KEY), secretOf),
    ...Array.from(text.matchAll(BEARER), secretOf).filter(isPlain),
    ...Array.from(text.matchAll(IN_URL), secretOf).filter(isPlain),
    ...(NAMES.test(text) ? [...valuesIn(text, NAMED, namedIn), ...valuesIn(text, OPTION, optionIn)] : []).filter(
      isPlain,
    ),
  ]
  if (found.length === 0) return { parts: [], count: 0 }
  const isShown = follower(Array.from(text.matchAll(HOST_AND_PATH), secretOf))
  const isMask = ({ from, to }: Part) => text.slice(from, to) === MASK
  const secrets = apart(found).map((secret) => runsIn(text, secret).filter((run) => isMask(run) || !isShown(run)))
  return { parts: secrets.flat(), count: secrets.filter((runs) => !runs.every(isMask)).length }

  function isPlain({ from, to }: Part): boolean {
    return isPlainValue(text.slice(from, to))
  }
}

/** The secret without the prefix of its shape. */
function secretOf({ 0: whole, 1: before = '', index }: RegExpMatchArray & { index: number }): Part {
  return { from: index + before.length, to: index + whole.length }
}

interface Value extends Part {
  secret: boolean
  more?: Part[]
}

/** What a value holds is not searched for names: a text of nothing but names would take forever. */
function valuesIn(
  text: string,
  names: RegExp,
  read: (text: string, name: RegExpExecArray, firstQuote: number) => Value | undefined,
): Part[] {
  const firstQuote = text.search(/["'`]/)
  const values: Part[] = []
  let searched = 0
  for (const name of text.matchAll(names)) {
    const value = name.index < searched ? undefined : read(text, name, firstQuote)
    searched = value?.to ?? searched
    if (value?.secret) values.push(value, ...(value.more ?? []))
  }
  return values
}

/**
 * `NAME=value`, `"name": "value"` at any depth of quotes, `?name=value`, a line such as `X-Api-Key: value`. What stands
 * apart from `NAME=` is no value but a command that runs with it.
 */
function namedIn(text: string, match: RegExpExecArray, firstQuote: number): Value | undefined {
  const { 0: whole, 1: character, 2: before = '', 3: name = '', 4: quote, index } = match
  if (!isSecretName(name)) return undefined
  const at = index + whole.length
  const previous = text[index - before.length - 1]
  const mayBeApart = previous !== '=' && (character === ':' || /\s$/.test(before))
  if (whole.length > 1 && !mayBeApart) return undefined
  const scheme = mayBeApart ? valueAt(text, at, SCHEME) : undefined
  const quoted = scheme ? undefined : quotedAt(text, at, firstQuote)
  if (quoted) return { ...quoted, secret: true }
  const isOpened = /["'\\]/.test(text[at] ?? '')
  const value = quote && !isOpened ? undefined : valueAt(text, scheme?.to ?? at, PLAIN)
  if (!value) return undefined
  const secret = isOpened || isMeant(name, text.slice(value.from, value.to), previous)
  const more = character === ':' && HEADER.test(name) ? cookiesAt(text, value.to) : []
  return { ...value, secret, more }
}

/** Programs name passwords all the time: what stands there without quotes is more often a name than a value. */
function isMeant(name: string, value: string, before: string | undefined): boolean {
  if (before === '?' || before === '&' || name.includes('-')) return true
  return name === name.toUpperCase() || HEADER.test(name) || /\d/.test(value)
}

function optionIn(
  text: string,
  { 0: whole, 1: name = '', index }: RegExpExecArray,
  firstQuote: number,
): Value | undefined {
  if (!isSecretName(name)) return undefined
  const at = index + whole.length
  const value = quotedAt(text, at, firstQuote) ?? valueAt(text, at, PLAIN)
  return value && { ...value, secret: true }
}

function quotedAt(text: string, at: number, firstQuote: number): Part | undefined {
  return valueAt(text, at, at === firstQuote ? QUOTED : MAYBE_QUOTED)
}

function cookiesAt(text: string, at: number): Part[] {
  const cookies: Part[] = []
  for (let next = valueAt(text, at, NEXT_COOKIE); next; next = valueAt(text, next.to, NEXT_COOKIE)) cookies.push(next)
  return cookies
}

function valueAt(text: string, at: number, shape: RegExp): Part | undefined {
  shape.lastIndex = at
  const found = shape.exec(text)
  return found ? secretOf(found) : undefined
}

/** Those that overlap as one. */
function apart(parts: Part[]): Part[] {
  const all: Part[] = []
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && part.from < last.to) last.to = Math.max(last.to, part.to)
    else all.push({ from: part.from, to: part.to })
  }
  return all
}

/** Whether a part lies in one of these; asked in the order of the text. */
function follower(ranges: Part[]) {
  let place = 0
  return ({ from, to }: Part): boolean => {
    while ((ranges[place]?.to ?? Infinity) <= from) place += 1
    return (ranges[place]?.from ?? Infinity) < to
  }
}
