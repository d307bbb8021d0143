import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guides } from '../../scripts/docs/guides.ts'
import type { Client } from '../../src/cli/connect/client.ts'
import { CLIENTS } from '../../src/cli/connect/clients.ts'
import { jsonText } from '../../src/cli/connect/formats/json-text.ts'
import { tomlText } from '../../src/cli/connect/formats/toml-text.ts'
import { yamlMap } from '../../src/cli/connect/formats/yaml-map.ts'
import { yamlText } from '../../src/cli/connect/formats/yaml-text.ts'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { codeIn, pageOf } from '../support/guide.ts'

const FORMATS = { json: jsonText({ comments: false }), toml: tomlText, yaml: yamlText }
const WORDS = { stdio: [], http: ['--http', '--port', '4117'] }

test('[R40] what the guides say of parley connect is what its table says now', async () => {
  for (const [path, text] of await guides())
    expect(readFileSync(path, 'utf8'), `npm run docs writes ${path} anew`).toBe(text)
})

test.skipIf(process.platform !== 'linux').each(['stdio', 'http'] as const)(
  '[R41] each client is given what its guide shows, in the file that it names (%s)',
  async (way) => {
    const { connect, read } = await openHome([])
    const clients = CLIENTS.filter(({ http }) => http || way === 'stdio')
    const { code, stderr } = await connect([...clients.map(({ name }) => name), ...WORDS[way]])
    expect([code, stderr]).toEqual([0, ''])
    for (const client of clients) {
      const [, file = ''] = /`~\/([^`]+)`/.exec(pageOf(client.name)) ?? []
      const written = formatOf(client).read(read(file))
      expect(written, client.name).toEqual(shownFor(client, way))
    }
  },
)

/** What its file holds by its guide. */
function shownFor(client: Client, way: keyof typeof WORDS): unknown {
  const shown = codeIn(client.name, languageOf(client))[Object.keys(WORDS).indexOf(way)]
  return formatOf(client).read(asHere(shown ?? ''))
}

function asHere(text: string): string {
  return text
    .replace('/usr/local/bin/node', process.execPath)
    .replace('/usr/local/lib/node_modules/parley-hub/bin/parley.js', executable)
}

function formatOf(client: Client) {
  return client.format === 'yaml-map' ? yamlMap : FORMATS[languageOf(client)]
}

function languageOf({ format }: Client) {
  return format === 'jsonc' ? 'json' : format === 'yaml-map' ? 'yaml' : format
}
