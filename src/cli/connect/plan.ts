import { existsSync } from 'node:fs'
import type { Client, Format } from './client.ts'
import { readConfigFile } from './config-file.ts'
import type { FilePlan } from './file-plan.ts'
import { jsonText } from './formats/json-text.ts'
import { type ListFormat, type TextFormat, valueAt } from './formats/text-format.ts'
import { entryPart, itemPart, type Part, paragraphPart, valuePart } from './parts.ts'
import type { Places } from './places.ts'
import type { ServerEntry } from './server-entry.ts'

const INSTRUCTIONS = `When you need an answer, a decision or a permission from the person you work for, or have something to show them, use the tools of the MCP server \`parley\` (send_message, ask_user) and wait for the reply. Do not end your turn with a question.`

export interface Wanted {
  isProject: boolean
  allow: boolean
  instructions: boolean
}

const LENIENT = jsonText({ comments: true })
const STRICT = jsonText({ comments: false })

/** All that is to stand in files for a client to have Parley. */
export async function filesFor(
  client: Client,
  entry: ServerEntry,
  wanted: Wanted,
  places: Places,
): Promise<FilePlan[]> {
  const { allow, at, instructions } = client
  const files = new Map<string, Part[]>()
  const main = wanted.isProject ? client.project : client.user
  if (main) add(main(places), entryPart(await formatOf(client.format), at, entryFor(client, entry, wanted)))
  if (wanted.allow && allow && 'file' in allow) {
    const json = client.format === 'json' ? STRICT : LENIENT
    add(
      allow.file(places),
      'list' in allow ? itemPart(json, allow.list(places), allow.item) : valuePart(json, allow.at, allow.value),
    )
  }
  const standing = wanted.instructions ? (wanted.isProject ? instructions?.project : instructions?.user) : undefined
  if (standing) add(standing.file(places), paragraphPart(INSTRUCTIONS))
  return [...files].map(([path, parts]) => ({ path, parts }))

  function add(path: string, part: Part) {
    const there = existing(path)
    files.set(there, [...(files.get(there) ?? []), part])
  }
}

export function entryFor(client: Client, entry: ServerEntry, wanted: Wanted): object {
  const { allow } = client
  const { stdio, http, limit } = (wanted.isProject && client.inProject) || client
  const shape = 'url' in entry ? http?.(entry) : stdio(entry)
  return { ...shape, ...limit, ...(wanted.allow && allow && 'entry' in allow && allow.entry) }
}

/** What a client has under Parley's name now. */
export async function entryIn(
  client: Client,
  { isProject }: Pick<Wanted, 'isProject'>,
  places: Places,
): Promise<unknown> {
  const file = isProject ? client.project : (client.user ?? client.command?.reads)
  const text = file && readConfigFile(existing(file(places)))
  if (text === undefined) return undefined
  return valueAt((await formatOf(client.format)).read(text), client.at)
}

/** Some take comments under a name of their own. */
function existing(path: string): string {
  return path.endsWith('.json') && !existsSync(path) && existsSync(`${path}c`) ? `${path}c` : path
}

/** Each is fetched when it is needed. */
async function formatOf(format: Format): Promise<TextFormat | ListFormat> {
  switch (format) {
    case 'json':
      return STRICT
    case 'jsonc':
      return LENIENT
    case 'toml':
      return (await import('./formats/toml-text.ts')).tomlText
    case 'yaml':
      return (await import('./formats/yaml-text.ts')).yamlText
  }
}
