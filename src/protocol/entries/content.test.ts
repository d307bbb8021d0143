import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBytes, kindOf } from '../text/mime.ts'
import { Mime } from '../text/text.ts'
import { contentOf, saidIn } from './content.ts'
import { storedBody } from './stored.ts'

const JSON_TYPE = 'application/json'
const said = (content: unknown, mime = JSON_TYPE) => saidIn({ mime, content })

test('[I23] any JSON value is kept as its JSON text and given back as it was; a text stays the text that it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (content) => {
      fc.pre(!(typeof content === 'string' && content.trim() === ''))
      const kept = said(content)
      const stored = storedBody(JSON.stringify({ kind: 'message', author: 'user', by: 'ada', ...kept }))
      expect(stored).toMatchObject({ kind: 'message', ...kept })
      expect(contentOf(kept)).toEqual(JSON.parse(JSON.stringify(content)))
    }),
  )
  expect(said('{"a":1}')).toEqual({ mime: JSON_TYPE, text: '{"a":1}' })
  expect(said(null, 'application/vnd.api+json; v=1')).toMatchObject({ text: 'null', structured: true })
})

test('[I23] what an older Parley stored is read as before', () => {
  const old = { kind: 'message', author: 'user', by: 'ada', text: '[1]', mime: JSON_TYPE } as const
  expect(storedBody(JSON.stringify(old))).toEqual(old)
  expect(contentOf(old)).toBe('[1]')
})

test('[I24] any well-formed mime type is one, with parameters and in any case', () => {
  const types = ['text/markdown', 'TEXT/Plain;charset=utf-8', 'a/b ; c="d; \\"e\\"" ; f=g', "x-y/vnd.a+b!#$%&'*.^_`|~"]
  for (const mime of types) expect(Mime.safeParse(mime).data).toBe(mime)
  const wrong = [
    '',
    'text',
    'text/',
    '/plain',
    'text/a b',
    'text/plain;',
    'text/plain; a',
    'text/plain; a="',
    'a/b\n/c',
    7,
  ]
  for (const mime of wrong) expect(Mime.safeParse(mime).error?.issues[0]?.message).toContain('must be a mime type')
  expect(Mime.safeParse(`a/${'b'.repeat(199)}`).error?.issues[0]?.message).toBe('is longer than 200 characters')
})

test('[I25] content that cannot be kept is refused in one sentence', () => {
  expect(() => said({}, 'text/markdown')).toThrow('"content" must be text where "mime" is not a JSON type')
  expect(() => said(undefined)).toThrow('"content" must be text')
  expect(() => said(' ')).toThrow('"content" must not be empty')
  expect(() => said(['x'.repeat(1024 * 1024)])).toThrow('"content" is larger than the limit of 1 MiB')
  let deep: unknown = 1
  for (let n = 0; n < 100; n++) deep = [deep]
  expect(said(deep).structured).toBe(true)
  expect(() => said({ deep })).toThrow('"content" is nested deeper than 100 levels')
})

test('[U75] [U76] a message is shown by its type, whatever its case and parameters', () => {
  const kinds: [string | undefined, string, string][] = [
    [undefined, 'x', 'markdown'],
    ['Text/Markdown; charset=utf-8', 'x', 'markdown'],
    ['text/html', '<b>', 'plain'],
    ['application/problem+json', '{}', 'json'],
    ['application/xhtml+xml', '<html/>', 'xml'],
    ['image/svg+xml', '<svg/>', 'xml'],
    ['IMAGE/PNG', 'iVBORw0KGgo=', 'image'],
    ['image/png', 'No image!', 'plain'],
    ['application/pdf', 'JVBERi0=', 'file'],
  ]
  for (const [mime, text, kind] of kinds) expect([mime, kindOf({ mime, text })]).toEqual([mime, kind])
  expect(isBytes({ mime: 'application/pdf', text: 'JVBERi0=\r\n' })).toBe(true)
  for (const text of ['four words in it', 'abc', 'key: value'])
    expect(isBytes({ mime: 'application/yaml', text })).toBe(false)
})
