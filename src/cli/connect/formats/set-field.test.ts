import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'
import type { TextFormat } from './text-format.ts'
import { tomlText } from './toml-text.ts'
import { yamlMap } from './yaml-map.ts'
import { yamlText } from './yaml-text.ts'

const JSONC = jsonText({ comments: true })
const AT = ['servers', 'parley']

/** A text, a field and its value, and the text then. */
const SET: [string, TextFormat, string, string, unknown, string][] = [
  [
    'JSON, changed',
    JSONC,
    '{"servers": {"parley": {\r\n  "a": [1], // said\r\n  "b": 2\r\n}}}',
    'a',
    [2],
    '{"servers": {"parley": {\r\n  "a": [\r\n    2\r\n  ], // said\r\n  "b": 2\r\n}}}',
  ],
  ['JSON, gone', JSONC, '{"servers":{"parley":{"a":1,"b":2}}}', 'a', undefined, '{"servers":{"parley":{"b":2}}}'],
  [
    'TOML, changed over lines',
    tomlText,
    '[servers.parley] # its head\r\n# said\r\na = [ # first\r\n  "x=[", # one\r\n] # last\r\nb = """\r\n[x]\r\n"""\r\n\r\n# next\r\n[x]\r\n',
    'a',
    ['y'],
    '[servers.parley] # its head\r\n# said\r\na = ["y"] # last\r\nb = """\r\n[x]\r\n"""\r\n\r\n# next\r\n[x]\r\n',
  ],
  [
    'TOML, new in front of a table',
    tomlText,
    '[servers.parley]\na = 1\n\n[servers.parley.env]\nX = "y"\n',
    'b',
    true,
    '[servers.parley]\na = 1\nb = true\n\n[servers.parley.env]\nX = "y"\n',
  ],
  ['TOML, new at the end', tomlText, '[servers.parley]\na = 1', 'b', 2, '[servers.parley]\na = 1\nb = 2\n'],
  ['TOML, new in nothing', tomlText, '[servers.parley]', 'b', 2, '[servers.parley]\nb = 2\n'],
  ['TOML, gone', tomlText, '[servers.parley]\na = 1 # said\nb = 2\n', 'a', undefined, '[servers.parley]\nb = 2\n'],
  [
    'YAML, changed',
    yamlText,
    'servers:\n  - name: parley\n    # said\n    a: [1,\n      2] # first\n    b: 2\nx: 1\n',
    'a',
    ['y'],
    'servers:\n  - name: parley\n    # said\n    a: ["y"] # first\n    b: 2\nx: 1\n',
  ],
  [
    'YAML, new',
    yamlText,
    'servers:\n- name: parley\n  a: 1 # said\n- name: other\n',
    'b',
    true,
    'servers:\n- name: parley\n  a: 1 # said\n  b: true\n- name: other\n',
  ],
  [
    'YAML, gone',
    yamlText,
    'servers:\n  - name: parley\n    a:\n      - 1\n      - 2\n    b: 2\n',
    'a',
    undefined,
    'servers:\n  - name: parley\n    b: 2\n',
  ],
  [
    'names in YAML, changed',
    yamlMap,
    'servers:\n  parley:\n    # said\n    a: [1,\n      2] # first\n    b: 2\nx: 1\n',
    'a',
    ['y'],
    'servers:\n  parley:\n    # said\n    a: ["y"] # first\n    b: 2\nx: 1\n',
  ],
  [
    'names in YAML, new',
    yamlMap,
    'servers:\n  parley:\n    a: 1 # said\n  other:\n    a: 1\n',
    'b',
    true,
    'servers:\n  parley:\n    a: 1 # said\n    b: true\n  other:\n    a: 1\n',
  ],
  [
    'names in YAML, gone',
    yamlMap,
    'servers:\n  parley:\n    a:\n      - 1\n    b: 2\n',
    'a',
    undefined,
    'servers:\n  parley:\n    b: 2\n',
  ],
]

test.each(SET)(
  '[C220] one field of the entry is set, and all around it stays: %s',
  (_, format, text, name, value, then) => {
    expect(format.setField(text, AT, name, value)).toBe(then)
  },
)

/** Written in a way in which a field has no place of its own. */
const REFUSED: [string, TextFormat, string][] = [
  ['dotted names in TOML', tomlText, '[servers.parley]\nenv.X = "y"\nenv.Z = "y"\n'],
  ['a table of its own in TOML', tomlText, '[servers.parley]\na = 1\n[servers.parley.env]\nX = "y"\n'],
  ['a table in braces in TOML', tomlText, '[servers]\nparley = { env = {} }\n'],
  ['an item in braces in YAML', yamlText, 'servers:\n  - {name: parley, env: {}}\n'],
  ['a name in braces in YAML', yamlMap, 'servers:\n  parley: {env: {}}\n'],
]

test.each(REFUSED)(
  '[C220] a field without a place of its own is refused, and nothing else is changed: %s',
  (_, format, text) => {
    expect(() => format.setField(text, AT, 'env', { W: 'y' })).toThrow('and was left as it is')
  },
)
