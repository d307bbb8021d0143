import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../../io/attempt.ts'
import type { AllowFile, Client, Format } from './client.ts'
import type { FilePlan } from './file-plan.ts'
import { naming, readConfigFile, targetOf } from './file-text.ts'
import { jsonText } from './formats/json-text.ts'
import { ifUnclear, isObject, type ListFormat, type TextFormat, valueAt } from './formats/text-format.ts'
import { readNote, withNote } from './note.ts'
import { entryPart, itemPart, itemPlace, type Part, paragraphPart, placeOf, valuePart } from './parts.ts'
import { type Places, projectFolder, projectOf } from './places.ts'
import { isOurs } from './renewed-entry.ts'
import type { ServerEntry } from './server-entry.ts'

const INSTRUCTIONS = `When you need an answer, a decision or a permission from the person you work for, or have something to show them, use the tools of the MCP server \`parley\` (send_message, ask_user) and wait for the reply. Do not end your turn with a question.`

interface Wanted {
  isProject: boolean
  allow: boolean
  instructions: boolean
}

/** No project. */
const ANY = '\0'
const LENIENT = jsonText({ comments: true })
const STRICT = jsonText({ comments: false })

/** All that is to stand in files for a client to have Parley, and the files in which something of it may stand. */
export async function filesFor(
  client: Client,
  entry: ServerEntry,
  wanted: Wanted,
  places: Places,
): Promise<FilePlan[]> {
  const { allow, at, isState = false } = client
  const files = new Map<string, FilePlan>()
  const main = fileOf(client, wanted)
  const format = await formatOf(client.format)
  const project = wanted.isProject ? projectFolder(places) : undefined
  if (main) add(main(places), entryPart(format, at, entryFor(client, entry, wanted), wanted.isProject), true, project)
  if ('file' in allow) {
    const file = allow.file(places)
    const here = projectOf(places)
    for (const part of await partsOf(allow, here)) add(file, part, wanted.allow)
    // An entry for all projects ends in all of them.
    const others = wanted.isProject ? [] : projectsIn(file, allow).filter((other) => other !== here)
    for (const other of others) for (const part of await partsOf(allow, other)) add(file, part, false)
  }
  standingFiles(client, wanted, places).forEach((file, n) => {
    add(file, paragraphPart(INSTRUCTIONS), wanted.instructions && n === 0, project)
  })
  return [...files.values()]

  async function partsOf(allow: AllowFile, inProject: string): Promise<Part[]> {
    if ('values' in allow) return allow.values.map(([at, value]) => valuePart(format, at, value))
    const lists = client.format === 'yaml' ? await yamlLists() : client.format === 'json' ? STRICT : LENIENT
    return allow.items.map((item) => itemPart(lists, allow.list(inProject), item))
  }

  function add(file: string, part: Part, isWanted: boolean, project?: string) {
    const path = existing(file)
    const plan = files.get(path) ?? {
      path,
      isState: isState && file === main?.(places),
      project,
      parts: [],
      wanted: [],
    }
    plan.parts.push(part)
    if (isWanted) plan.wanted.push(part)
    files.set(path, plan)
  }
}

/** Those in which something was allowed, where it is allowed in each of them. */
function projectsIn(file: string, allow: AllowFile): string[] {
  if ('values' in allow) return []
  const noted = notedIn(existing(file))
  return allow.items.flatMap((item) => {
    const [head = '', tail] = itemPlace(allow.list(ANY), item).split(ANY)
    if (tail === undefined) return []
    const places = noted.filter((place) => place.startsWith(head) && place.endsWith(tail))
    return places.map((place) => place.slice(head.length, -tail.length))
  })
}

function entryFor(client: Client, entry: ServerEntry, wanted: Wanted): object {
  const { allow } = client
  const { stdio, http, limit } = (wanted.isProject && client.inProject) || client
  const shape = 'url' in entry ? http?.(entry) : stdio(entry)
  return { ...shape, ...limit, ...(wanted.allow && 'entry' in allow && allow.entry) }
}

/** Whether an entry has what lets its tools be used without a question. */
export function isAllowedBy(entry: unknown, { allow }: Client): boolean {
  return (
    'entry' in allow &&
    isObject(entry) &&
    Object.entries(allow.entry).every(([field, value]) => isDeepStrictEqual(entry[field], value))
  )
}

/** Files with a paragraph that other clients read, too, which stay connected by files of their own. */
export async function neededByOthers(
  client: Client,
  wanted: Pick<Wanted, 'isProject'>,
  places: Places,
  clients: readonly Client[],
): Promise<string[]> {
  const main = fileOf(client, wanted)?.(places)
  const own = standingFiles(client, wanted, places)
  const sharing = clients.filter((other) => {
    const isOther = other !== client && fileOf(other, wanted)?.(places) !== main
    return isOther && standingFiles(other, wanted, places).some((file) => own.includes(file))
  })
  const connected = await Promise.all(
    sharing.map(async (other) => {
      const { isOwn } = (await entryIn(other, wanted, places).catch(ifUnclear)) ?? {}
      return isOwn ? standingFiles(other, wanted, places) : []
    }),
  )
  return connected.flat()
}

function standingFiles({ instructions }: Client, { isProject }: Pick<Wanted, 'isProject'>, places: Places): string[] {
  const { file, before = file } = (isProject ? instructions?.project : instructions?.user) ?? {}
  return [...new Set([file, before].flatMap((one) => one?.(places) ?? []))]
}

/** What a client has under Parley's name now, and whether it is as `parley connect` wrote it. */
export async function entryIn(client: Client, wanted: Pick<Wanted, 'isProject'>, places: Places) {
  const file = fileOf(client, wanted)
  const path = file && existing(file(places))
  if (path === undefined) return { isOwn: false }
  const { text, note } = naming(path, () => withNote(targetOf(path), () => readConfigFile(path)))
  if (text === undefined) return { isOwn: false }
  const format = await formatOf(client.format)
  const entry = valueAt(
    naming(path, () => format.read(text)),
    client.at,
  )
  return { entry, path, isOwn: isOurs(entry, note.written[placeOf(client.at)] ?? []) }
}

function fileOf(client: Client, { isProject }: Pick<Wanted, 'isProject'>) {
  return isProject ? client.project : client.user
}

/** Some take comments under a name of their own. Where both are there, what was connected in one stays in it. */
function existing(path: string): string {
  if (!path.endsWith('.json') || !existsSync(`${path}c`)) return path
  return !existsSync(path) || (isNoted(`${path}c`) && !isNoted(path)) ? `${path}c` : path
}

/** Whether something in a file is noted to be Parley's. */
export function isNoted(path: string): boolean {
  return notedIn(path).length > 0
}

function notedIn(path: string): string[] {
  const target = attempt(() => targetOf(path), ifUnclear)
  return target === undefined ? [] : Object.keys(readNote(target).written)
}

/** Each is fetched when it is needed. */
async function formatOf(format: Format): Promise<TextFormat> {
  switch (format) {
    case 'json':
      return STRICT
    case 'jsonc':
      return LENIENT
    case 'toml':
      return (await import('./formats/toml-text.ts')).tomlText
    case 'yaml':
      return (await import('./formats/yaml-text.ts')).yamlText
    case 'yaml-map':
      return (await import('./formats/yaml-map.ts')).yamlMap
  }
}

async function yamlLists(): Promise<ListFormat> {
  return (await import('./formats/yaml-list.ts')).yamlList
}
