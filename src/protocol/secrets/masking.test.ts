import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { MASK, maskedText, unmasked } from './masking.ts'

function masked(value: unknown) {
  const { text, count } = maskedText(JSON.stringify(value))
  return { value: JSON.parse(text) as unknown, count }
}

const KNOWN_SECRETS = [
  `ghp_${'a1B2'.repeat(9)}`,
  `gho_${'a1B2'.repeat(9)}`,
  `github_pat_11ABCDEFG0${'a1B2'.repeat(12)}`,
  `sk-${'a1B2'.repeat(12)}`,
  `sk-ant-api03-${'a1B2-_'.repeat(9)}`,
  'AKIAIOSFODNN7EXAMPLE',
  'xoxb-123456789012-abcdefABCDEF',
  `AIza${'a1B2-'.repeat(7)}`,
  `npm_${'a1B2'.repeat(9)}`,
  `glpat-${'a1B2'.repeat(5)}`,
  `parley_${'a1B-_'.repeat(8)}abc`,
]

test.each(KNOWN_SECRETS)('[G80] a secret of a known shape is masked wherever it stands: %s', (secret) => {
  expect(masked({ deep: [{ command: `curl -u x:${secret} here` }] })).toEqual({
    value: { deep: [{ command: `curl -u x:${MASK} here` }] },
    count: 1,
  })
  expect(maskedText(`before\n${secret}\nafter`)).toEqual({ text: `before\n${MASK}\nafter`, count: 1 })
  expect(JSON.stringify(masked({ [secret]: 1 }))).not.toContain(secret.slice(5, 20))
})

test.each([
  ['Authorization: Bearer abc.def', `Authorization: Bearer ${MASK}.${MASK}`],
  ['is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', `is ${MASK}.${MASK}.${MASK}`],
  [
    `-----BEGIN PRIVATE KEY-----\n${'aB3/'.repeat(16)}\nAA==\n-----END PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${`${MASK}/`.repeat(16)}\n${MASK}==\n-----END PRIVATE KEY-----`,
  ],
  [`PASSWORD='correct horse'`, `PASSWORD='${MASK} ${MASK}'`],
  ['uses Bearer abcdefgh12345678 there', `uses Bearer ${MASK} there`],
  ['postgres://anna:s3cret!@db.example/x', `postgres://anna:${MASK}!@db.example/x`],
  ['DB_PASSWORD=letmein\nDB_HOST=db', `DB_PASSWORD=${MASK}\nDB_HOST=db`],
  ['mysql --password letmein -h db', `mysql --password ${MASK} -h db`],
  [`curl -H 'X-Api-Key: abc' x`, `curl -H 'X-Api-Key: ${MASK}' x`],
  ['GET /x?access_token=abc&y=1', `GET /x?access_token=${MASK}&y=1`],
  ['found {"client_secret": "a\\"b"} there', `found {"client_secret": "${MASK}\\"b"} there`],
  ['said "{\\"password\\":\\"hunter\\"}" there', `said "{\\"password\\":\\"${MASK}\\"}" there`],
])('[G80] a secret that is named in a text is masked: %s', (text, without) => {
  expect(maskedText(text)).toEqual({ text: without, count: 1 })
})

test('[G80] of the other cookies of a line those are masked that are long enough to be secrets', () => {
  expect(maskedText('Cookie: theme=dark; sid=a1b2c3d4e5f6a7b8; x=y')).toEqual({
    text: `Cookie: ${MASK}=${MASK}; sid=${MASK}; x=y`,
    count: 2,
  })
})

test.each([
  'password passwd userPassword user-password api_key apiKey X-API-Key OPENAI_API_KEY secret clientSecret token',
  'access_token githubToken authorization Cookie set-cookie privateKey credentials session_token sessionKey authtoken',
])('[G80] a field with the name of a secret is masked: %s', (names) => {
  for (const name of names.split(' '))
    expect([name, masked({ [name]: 'anything' })]).toEqual([name, { value: { [name]: MASK }, count: 1 }])
})

test('[G80] what only sounds like a secret is left as it is', () => {
  const harmless = {
    max_tokens: 4096,
    token_count: '12',
    prompt_tokens: '7',
    token_type: 'bearer',
    next_page_token: 'abc',
    session_id: 'shop',
    password_file: '/etc/passwd',
    public_key: 'abc',
    author: 'anna',
    secretary: 'ben',
    pwd: '/home/anna',
    api_key: '$API_KEY',
    path: 'src/task-management-system-overview.ts',
    code: 'const token = await signIn(user)\ninterface User { password: string }',
    header: 'Bearer authentication',
    url: 'https://example.com:8080/@anna',
  }
  expect(masked(harmless)).toEqual({ value: harmless, count: 0 })
})

test('[G80] all of what a secret field holds is masked, numbers only where it is a password', () => {
  expect(masked({ credentials: { user: 'anna', tries: 3 }, password: 1234 })).toEqual({
    value: { credentials: { user: MASK, tries: 3 }, password: MASK },
    count: 2,
  })
})

test('[G80] a text that is JSON is masked by its names, also inside of JSON, and everything else stays to the letter', () => {
  expect(maskedText('{ "password": "hunter", "n": 12345678901234567890 }').text).toBe(
    `{ "password": "${MASK}", "n": 12345678901234567890 }`,
  )
  expect(maskedText(`{"a":1,"a":"\\u0020ghp_${'a1B2'.repeat(9)}\\n"}`).text).toBe(`{"a":1,"a":"\\u0020${MASK}\\n"}`)
  const text = JSON.stringify({ content: [{ text: JSON.stringify({ secret: 'hunter' }) }] })
  expect(maskedText(text)).toEqual({ text: text.replace('hunter', MASK), count: 1 })
})

test('[G80] a text without secrets stays as it is, and what is masked is not masked again', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { text: once } = maskedText(text)
      expect(maskedText(once)).toEqual({ text: once, count: 0 })
    }),
  )
  expect(maskedText('{ "id": 12345678901234567890 }').text).toBe('{ "id": 12345678901234567890 }')
})

test('[G81] no text, however hostile, takes longer than another of its length', () => {
  const units = [
    'a',
    '-',
    '.',
    'eyJ',
    '-eyJaaaaaaaa',
    'sk-',
    'ghp_',
    'a=',
    'password=',
    '://a:',
    ':',
    'Bearer ',
    '"',
    '\\"',
  ]
  const more = [
    '{',
    '[',
    '{"a":',
    '-----BEGIN PRIVATE KEY',
    '--token ',
    ' ',
    'token ',
    '[masked]',
    'password:"\\',
    '&a=',
  ]
  for (const unit of [...units, ...more]) {
    const text = unit.repeat(1_000_000 / unit.length)
    const started = process.threadCpuUsage()
    maskedText(text)
    // CPU time of this thread alone, however busy the machine is.
    expect([unit, process.threadCpuUsage(started).user < 5_000_000]).toEqual([unit, true])
  }
})

test('[G81] names of the language and any depth do no harm', () => {
  const hostile = JSON.parse('{"__proto__":{"password":"hunter"},"constructor":"x"}')
  expect(JSON.stringify(masked(hostile).value)).toBe(`{"__proto__":{"password":"${MASK}"},"constructor":"x"}`)
  expect(unmasked(masked(hostile).value, hostile)).toEqual(hostile)
  expect(Object.keys(unmasked(masked(hostile).value, hostile) as object)).toEqual(['__proto__', 'constructor'])
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(maskedText(deep)).toEqual({ text: deep, count: 0 })
  const secret = `${'['.repeat(100_000)}{"password":"hunter"}${']'.repeat(100_000)}`
  expect(maskedText(secret)).toEqual({ text: secret.replace('hunter', MASK), count: 1 })
  expect(() => unmasked(JSON.parse(deep), {})).toThrow('nested too deeply')
})

test('[G82] what a person did not touch is the original again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.constantFrom(...KNOWN_SECRETS, MASK, 'PIN=1')), (value, secrets) => {
      const original = {
        value: JSON.parse(JSON.stringify(value)),
        password: secrets,
        text: secrets.join(' and '),
        json: JSON.stringify({ token: secrets }),
      }
      expect(unmasked(masked(original).value, original)).toEqual(original)
    }),
  )
})

test('[G82] what is changed around a mask, or in its place, is what the person wrote', () => {
  const original = { command: 'curl -H "Authorization: Bearer abc" a', password: 'hunter', list: [{ token: 'abc' }] }
  const edited = {
    command: `curl -H "Authorization: Bearer ${MASK}" b`,
    password: 'other',
    list: [{ token: MASK, more: 1 }],
  }
  expect(unmasked(edited, original)).toEqual({
    command: 'curl -H "Authorization: Bearer abc" b',
    password: 'other',
    list: [{ token: 'abc', more: 1 }],
  })
  expect(unmasked({}, original)).toEqual({})
})

test('[G82] a mask at another place is refused, so that no secret is sent elsewhere', () => {
  const original = { url: 'https://a', password: 'hunter', list: ['ghp_aaaaaaaaaaaaaaaaaaaaaaaaaa', 'b'], text: 'P=1' }
  for (const edited of [
    { url: `https://evil/${MASK}` },
    { url: MASK },
    { other: MASK },
    { password: `${MASK}!` },
    { password: [MASK] },
    { list: ['b', MASK] },
    { list: [MASK] },
    { [MASK]: 1 },
    { text: { password: MASK } },
  ])
    expect(() => unmasked(edited, original)).toThrow('stands for no secret there')
  expect(() => unmasked({ a: { b: MASK } }, original)).toThrow(`${MASK} in a.b stands for no secret there`)
})

test('[G130] what is JSON stays JSON when something in it is masked, a text as well, and the mask leads back', () => {
  const said = 'curl -H "Authorization: Bearer abcdef0123456789" \\\n  --token "s3cret value" https://a:b@c'
  for (const value of [said, { command: said }, [said], JSON.stringify(said), JSON.stringify({ command: said })])
    for (const text of [JSON.stringify(value), `${' '.repeat(200)}${JSON.stringify(value, null, 2)}`]) {
      const { text: shown, count } = maskedText(text)
      expect(count).toBeGreaterThan(0)
      expect(shown).not.toMatch(/abcdef0123|s3cret/)
      expect(maskedText(JSON.stringify(JSON.parse(shown))).count).toBe(0)
      expect(JSON.parse(unmasked(shown, text) as string)).toEqual(value)
    }
  expect(JSON.parse(maskedText(JSON.stringify(`PASSWORD="${KNOWN_SECRETS[0]}"`)).text)).toBe(`PASSWORD="${MASK}"`)
})

test('[S163] of many names and values that cannot be secrets none is looked at one by one', () => {
  const json = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, `v${n}`])))
  const [parsed, searched] = [vi.spyOn(JSON, 'parse'), vi.spyOn(String.prototype, 'matchAll')]
  expect(maskedText(json)).toEqual({ text: json, count: 0 })
  const counts = [parsed.mock.calls.length, searched.mock.calls.length]
  vi.restoreAllMocks()
  expect(counts).toEqual([1, 0])
})

test('[S163] a quote that never ends is looked for once, however long the word behind it', () => {
  const text = `"" password: "${'a'.repeat(1024 * 1024)}`
  const masked = maskedText(text)
  expect([masked.text.slice(0, 22), masked.count]).toEqual(['"" password: "[masked]', 1])
})
