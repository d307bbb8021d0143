const NAME_LENGTH = 100
/** Passwords are secret even as numbers. */
const PASSWORD = 'pass(?:word|wd|phrase|code)|(?:db|user|admin|root)_pwd'
const KEYS =
  '(?:api|access|secret|private|signing|encryption|auth|session|ssh|master|account|license|client|service)_?key'
const SECRET = `${PASSWORD}|${KEYS}|secret|token|credential|authorization|cookie|bearer|jwt|sessid|(?<=^|_)(?:auth|otp|totp)`
/** The suffixes that may follow a secret's name: a `token_type` or `password_file` is no secret. */
const AFTER =
  's?_?\\d*(?:_(?:value|text|string|header|raw|base64|b64|pem|plain|plaintext|hash|confirm|confirmation|repeat|again|old|new|current))?$'
const SECRET_NAME = new RegExp(`(?:${SECRET})${AFTER}`)
const PASSWORD_NAME = new RegExp(`(?:${PASSWORD})${AFTER}`)
/** Tokens that are counted, that lead to a next page, or that a model reads. */
const OTHER_TOKEN =
  /(?:^|_)(?:max|min|num|count|total|limit|budget|per|input|output|prompt|completion|reasoning|cached|used|remaining|context|page|next|continuation|cursor|stop|eos|bos|pad|unk|special)_.*tokens?$/

/** No name of a secret is without one of these; most texts have none. */
export const NAMES = /pass|pwd|key|secret|token|cred|auth|cookie|bearer|jwt|sess|otp/i

export function isSecretName(name: string): boolean {
  if (!NAMES.test(name)) return false
  const words = wordsOf(name)
  return SECRET_NAME.test(words) && !OTHER_TOKEN.test(words)
}

export function isPasswordName(name: string): boolean {
  return PASSWORD_NAME.test(wordsOf(name))
}

function wordsOf(name: string): string {
  return name
    .slice(-NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
}
