/** What parsers take for the beginning, the end or the middle of something. */
export const TOKENS = [
  'a',
  ' ',
  '\n',
  '\t',
  '"',
  "'",
  '`',
  '\\',
  '/',
  '//',
  '/*',
  '*/',
  '*',
  '_',
  '**',
  '~',
  '<',
  '>',
  '<!--',
  '-->',
  '<b>',
  '&amp;',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '[a](',
  '![',
  ':',
  ',',
  ';',
  '|',
  '-',
  '--',
  '=',
  '#',
  '$(',
  '${',
  '@',
  '.',
  '..',
  '0',
  '1e',
  '%',
  '%2',
  '\r\n',
  '\u0000',
  '\u202e',
  'é',
  '\u0301',
  '😀',
  '\ud800',
  '```',
  '~~~',
  '> ',
  '- ',
  '1. ',
  '|-|',
  'http://',
  'a@b.',
  '--password ',
  'API_KEY=',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  'cookie: ',
  '"password":"',
  '\u00ff\u00e1',
  '\u00ff\u00d8\u00ff\u00e1',
  '{"a":',
  '[[',
  '@@ -1 +1 @@\n',
  '+',
  '+++ ',
  'data: ',
  'event: ',
  'bytes=',
  'sk-',
]

/** A text of about so many characters, of one kind. */
export type Family = (size: number) => string

const fill = (token: string, size: number) => token.repeat(Math.max(1, Math.floor(size / token.length)))

/** Whatever made a parser slow once: one thing over and over, alone, in JSON and in lines, and what is long by its kind. */
export function families(): Map<string, Family> {
  const all = new Map<string, Family>()
  for (const token of TOKENS) {
    const shown = JSON.stringify(token)
    all.set(`${shown} again and again`, (size) => fill(token, size))
    all.set(`${shown} again and again in JSON`, (size) => `{"command":${JSON.stringify(fill(token, size))}}`)
    all.set(`${shown} after a line each`, (size) => fill(`${token}\n`, size))
  }
  all.set('a JPEG of many Exif segments', jpeg)
  all.set('many names', (size) => `{${Array.from({ length: size / 12 }, (_, n) => `"n${n}":"v${n}"`).join(',')}}`)
  all.set('many lines', (size) => Array.from({ length: size / 8 }, (_, n) => `line ${n}`).join('\n'))
  all.set('lists in lists', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2))
  all.set('a patch', (size) => `@@ -1,9 +1,9 @@\n${fill('-a\n+b\n', size)}`)
  return all
}

/** What most of them end with, or go on after. */
const OTHERS = ['a', ' ', '\n', '"', "'", '`', '\\', '*', '<', '>', '[', ']', '(', ')', '{', '}', ':']

/** Each with these: in turn, and the one before the other. */
export function pairs(): Map<string, Family> {
  const all = new Map<string, Family>()
  for (const token of TOKENS)
    for (const other of OTHERS) {
      if (other === token) continue
      const [one, two] = [JSON.stringify(token), JSON.stringify(other)]
      all.set(`${one} and ${two} in turn`, (size) => fill(token + other, size))
      all.set(`${one}, then ${two}`, (size) => fill(token, size / 2) + fill(other, size / 2))
    }
  return all
}

function jpeg(size: number): string {
  const exif = `\u00ff\u00e1\u0000\u0022Exif\0\0MM\0\u002a\0\0\0\u0008\u00ff\u00ff${'\0'.repeat(16)}`
  return `\u00ff\u00d8${fill(exif, size)}`
}
