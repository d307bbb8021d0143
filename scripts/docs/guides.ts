import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLIENTS } from '../../src/cli/connect/clients.ts'
import { clientGuide, clientRow } from './client-guide.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = 'docs/guides'
const BEGIN = '<!-- written by npm run docs: begin -->'
const END = '<!-- written by npm run docs: end -->'

/** The guides whose facts stand in the code, by their paths: what people wrote around the marked part stays. */
export async function guides(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const client of CLIENTS)
    add(`${client.name}.md`, `# ${client.title}\n\n${BEGIN}\n${END}\n`, await clientGuide(client))
  add('README.md', `# Guides\n\n${BEGIN}\n${END}\n`, CLIENTS.map(clientRow).join('\n'))
  return pages

  function add(name: string, empty: string, part: string) {
    const path = `${FOLDER}/${name}`
    pages.set(path, withPart(existsSync(ROOT + path) ? readFileSync(ROOT + path, 'utf8') : empty, path, part))
  }
}

function withPart(page: string, path: string, part: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${path} has no place for what npm run docs writes: ${BEGIN} … ${END}`)
  return `${page.slice(0, begin)}${BEGIN}\n\n${part}\n\n${page.slice(end)}`
}
