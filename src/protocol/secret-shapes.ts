/** Stands in the place of a secret. */
export const MASK = '[masked]'

/** From where to where in a text. */
export interface Part {
  from: number
  to: number
}

const NAME_LENGTH = 100
/** Passwords are secret even as numbers. */
const PASSWORD = 'pass(?:word|wd|phrase|code)|(?:db|user|admin|root)_pwd'
const KEYS =
  '(?:api|access|secret|private|signing|encryption|auth|session|ssh|master|account|license|client|service)_?key'
const SECRET = `${PASSWORD}|${KEYS}|secret|token|credential|authorization|cookie|bearer|jwt|sessid|(?<=^|_)(?:auth|otp|totp)`
/** What may follow: a `token_type` or `password_file` is no secret. */
const AFTER =
  's?_?\\d*(?:_(?:value|text|string|header|raw|base64|b64|pem|plain|plaintext|hash|confirm|confirmation|repeat|again|old|new|current))?$'
const SECRET_NAME = new RegExp(`(?:${SECRET})${AFTER}`)
const PASSWORD_NAME = new RegExp(`(?:${PASSWORD})${AFTER}`)
/** Tokens that are counted, that lead to a next page, or that a model reads. */
const OTHER_TOKEN =
  /(?:^|_)(?:max|min|num|count|total|limit|budget|per|input|output|prompt|completion|reasoning|cached|used|remaining|context|page|next|continuation|cursor|stop|eos|bos|pad|unk|special)_.*tokens?$/

/** No name of a secret is without one of these; most texts have none. */
const NAMES = /pass|pwd|key|secret|token|cred|auth|cookie|bearer|jwt|sess|otp/i

export function isSecretName(name: string): boolean {
  if (!NAMES.test(name)) return false
  const words = wordsOf(name)
  return SECRET_NAME.test(words) && !OTHER_TOKEN.test(words)
}

export function isPasswordName(name: string): boolean {
  return PASSWORD_NAME.test(wordsOf(name))
}

/** What stands in the place of a secret is none: `$TOKEN`, `${TOKEN}`. */
export function isPlaceholder(value: string): boolean {
  return value === '' || /^\$(?:\w{1,100}|\{[^{}]{1,100}\})$/.test(value)
}

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
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|$)',
  ].join('|'),
  'g',
)
const BEARER = /(?<![A-Za-z])((?:Bearer|Basic)[ \t]{1,4})(?:(?=\S{0,60}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{16,})/gi
const IN_URL = /(:\/\/[^\s/:@'"]{0,200}:)[^\s/@'"]{1,500}(?=@)/g
/** Looked for by the sign, which is rarer than words are: then back to the name before it. */
const NAMED = /([:=])(?<=(?<![\w.-])(([\w.-]{1,100})((?:\\{1,7})?["'])?[ \t]{0,4})[:=])[ \t]{0,4}/g
const OPTION = /(?<![\w-])--([\w-]{1,60})[ \t]{1,4}/g
const QUOTED = /(["'])((?:\\.|(?!\1)[^\\\r\n])+)/y
const QUOTED_INSIDE = /(\\+["'])((?:(?!\1)[^\r\n])+)/y
const PLAIN = /()(?:(?:Bearer|Basic|Token)[ \t]{1,4})?[^\s"'`;&,\\]+/iy
const REST_OF_LINE = /()[^\r\n"'`\\]+/y
const WHOLE_LINE = /^(?:.*-)?(?:authorization|cookie)$/i

/** Where secrets stand in a text, in their order. */
export function secretsIn(text: string): Part[] {
  const parts = [
    ...Array.from(text.matchAll(KNOWN), secretOf),
    ...Array.from(text.matchAll(BEARER), secretOf),
    ...Array.from(text.matchAll(IN_URL), secretOf),
    ...(NAMES.test(text) ? [...valuesIn(text, NAMED, namedIn), ...valuesIn(text, OPTION, optionIn)] : []),
  ]
  return apart(parts.filter(({ from, to }) => !isPlaceholder(text.slice(from, to))))
}

/** Without what a shape begins with. */
function secretOf({ 0: whole, 1: before = '', index }: RegExpMatchArray & { index: number }): Part {
  return { from: index + before.length, to: index + whole.length }
}

/** What a value holds is not searched for names: a text of nothing but names would take forever. */
function valuesIn(
  text: string,
  names: RegExp,
  read: (text: string, name: RegExpExecArray) => Value | undefined,
): Part[] {
  const values: Part[] = []
  let searched = 0
  for (const name of text.matchAll(names)) {
    const value = name.index < searched ? undefined : read(text, name)
    searched = value?.to ?? searched
    if (value?.secret) values.push(value)
  }
  return values
}

interface Value extends Part {
  secret: boolean
}

/** `NAME=value`, `"name": "value"` at any depth of quotes, `?name=value`, a line such as `X-Api-Key: value`. */
function namedIn(text: string, match: RegExpExecArray) {
  const { 0: whole, 1: sign, 2: before = '', 3: name = '', 4: quote, index } = match
  if (!isSecretName(name)) return undefined
  const at = index + whole.length
  const quoted = valueAt(text, at, QUOTED) ?? valueAt(text, at, QUOTED_INSIDE)
  if (quoted || quote) return quoted && { ...quoted, secret: true }
  const value = valueAt(text, at, sign === ':' && WHOLE_LINE.test(name) ? REST_OF_LINE : PLAIN)
  return value && { ...value, secret: isMeant(name, text.slice(value.from, value.to), text[index - before.length - 1]) }
}

/** Programs name passwords all the time: what stands there without quotes is more often a name than a value. */
function isMeant(name: string, value: string, before: string | undefined): boolean {
  if (before === '?' || before === '&' || name.includes('-')) return true
  return name === name.toUpperCase() || WHOLE_LINE.test(name) || (/\d/.test(value) && !/[([{]/.test(value))
}

function optionIn(text: string, { 0: whole, 1: name = '', index }: RegExpExecArray) {
  if (!isSecretName(name)) return undefined
  const at = index + whole.length
  const value = valueAt(text, at, QUOTED) ?? valueAt(text, at, PLAIN)
  return value && { ...value, secret: true }
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
    else all.push({ ...part })
  }
  return all
}

function wordsOf(name: string): string {
  return name
    .slice(-NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
}
