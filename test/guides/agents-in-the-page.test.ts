import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../../src/launcher/catalogue.ts'

const GUIDE = readFileSync(new URL('../../docs/guides/agents-in-the-page.md', import.meta.url), 'utf8')

test('[R70] the guide names every agent of the catalogue, with its adapter, how one signs in, and what it cannot do', () => {
  const rows = CATALOGUE.map(({ name, program, adapter, login, limits = [] }) => {
    const speaks = adapter ? `\`${adapter.package}\` ${adapter.version}` : 'itself'
    const cells = [name, `\`${program}\``, speaks, `\`${login}\``, limits.join('. ')]
    return `|${cells.map((cell) => (cell ? ` ${cell} ` : ' ')).join('|')}|`
  })
  expect(GUIDE.split('\n').filter((line) => /^\| [A-Za-z]/.test(line) && !line.startsWith('| agent'))).toEqual(rows)
})
