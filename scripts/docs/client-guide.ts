import type { Client, Format } from '../../src/cli/connect/client.ts'
import { type FilePlan, outlookOfPutting } from '../../src/cli/connect/file-plan.ts'
import type { Path } from '../../src/cli/connect/formats/text-format.ts'
import type { Places } from '../../src/cli/connect/places.ts'
import { filesFor } from '../../src/cli/connect/plan.ts'
import type { ServerEntry } from '../../src/cli/connect/server-entry.ts'
import { DEFAULT_PORT } from '../../src/protocol/settings.ts'
import { PACKAGE } from '../../src/protocol/version.ts'

/** Nothing is there, so that each file is shown as it begins. */
const HOME = '/nowhere/ada'
const PROJECT = `${HOME}/website`
/** Where an installed package is on most machines. */
const STDIO: ServerEntry = {
  command: '/usr/local/bin/node',
  args: [`/usr/local/lib/node_modules/${PACKAGE}/bin/parley.js`, 'stdio'],
  env: {},
}
const HTTP: ServerEntry = { url: `http://localhost:${DEFAULT_PORT}/mcp` }
const FENCES: Record<Format, string> = {
  json: 'json',
  jsonc: 'json',
  toml: 'toml',
  yaml: 'yaml',
  'yaml-map': 'yaml',
}
/** More seconds than any client takes, and fewer milliseconds than one would be given. */
const MOST_SECONDS = 1_000_000

/** All that the guide of a client says about `parley connect`. */
export async function clientGuide(client: Client): Promise<string> {
  const { name, http } = client
  const parts = [
    fenced('sh', `npm install --global ${PACKAGE}   # once\nparley connect ${name}`),
    ...(await entryBy(client)),
    ...(http ? [addressOf(client), await block(client, HTTP)] : []),
    table(rowsFor(client)),
  ]
  return shownPath(parts.join('\n\n'))
}

/** Its line in the list of guides. */
export function clientRow({ name, title, user }: Client): string {
  return `- [${title}](${name}.md): \`${shownPath(user(placesOn('linux')))}\``
}

async function entryBy(client: Client): Promise<string[]> {
  const paths = 'with the paths of your own `node` and of `npm root --global`'
  return [`adds this to \`${client.user(placesOn('linux'))}\`, ${paths}:`, await block(client, STDIO)]
}

function addressOf({ name }: Client): string {
  const hub = 'a hub that runs by itself (`parley service install`)'
  return `\`parley connect ${name} --http\` names ${hub} instead, with a token where it asks for one:`
}

/** What is put into its file. */
async function block(client: Client, entry: ServerEntry): Promise<string> {
  const wanted = { isProject: false, allow: false, instructions: false }
  const [file] = await filesFor(client, entry, wanted, placesOn('linux'))
  return fenced(FENCES[client.format], file ? textFor(file) : '')
}

/** The file as it begins, with short lists on one line. */
function textFor(file: FilePlan): string {
  const text = outlookOfPutting(file).next.trimEnd()
  return text.replaceAll(/\[\n([^[\]{}]*)\n\s*\]/g, (_, items: string) => `[${items.trim().replaceAll(/\n\s*/g, ' ')}]`)
}

function rowsFor(client: Client): [string, string][] {
  const { name, title, project, instructions, left, leftInProject, user } = client
  const moved = variablesOf(user)
  return [
    ...row('in a project', project && `\`--project\` writes \`${inProjectOf(project)}\` there`),
    ...row('macOS, Windows', elsewhere(client)),
    ...row('moved by', moved.map((variable) => `\`${variable}\``).join(', ')),
    ['its limit for a call', limitOf(client)],
    ['`--allow`', allowOf(client)],
    ['`--instructions`', instructionsOf(instructions) ?? `nothing: no file of ${title} for them is known`],
    ...row('what is left to you', left ?? (leftInProject && `In a project, ${leftInProject}`)),
    ['back', `\`parley connect ${name} --remove\` leaves every file as it was`],
  ]
}

function row(name: string, text: string | undefined): [string, string][] {
  return text ? [[name, text]] : []
}

function limitOf({ limit = {} }: Client): string {
  const [[field, value] = []] = Object.entries(limit) as [string, number][]
  if (field === undefined || value === undefined) return 'its own: there is nothing to set'
  const seconds = value > MOST_SECONDS ? value / 1000 : value
  const told = seconds >= 3600 ? `${seconds / 3600} hours` : `${seconds / 60} minutes`
  return `${told}: \`${field}\`, in ${value > MOST_SECONDS ? 'milliseconds' : 'seconds'}`
}

function allowOf({ allow }: Client): string {
  if ('none' in allow) return `changes nothing: ${allow.none}`
  if ('entry' in allow) return `adds ${Object.entries(allow.entry).map(assigned).join(', ')} to the entry`
  const places = placesOn('linux')
  const file = `\`${allow.file(places)}\``
  if ('list' in allow) return `adds ${allow.items.map(code).join(', ')} to ${keysIn(allow.list(PROJECT))} in ${file}`
  const [[path, value] = [[], undefined], ...more] = allow.values
  return `sets ${keysIn(path)} to ${code(value)} in ${file}${more.length > 0 ? ', and so for its other tools' : ''}`
}

function instructionsOf(instructions: Client['instructions']): string | undefined {
  const { user, project } = instructions ?? {}
  const places = placesOn('linux')
  const files = [
    user && `\`${user.file(places)}\``,
    project && `\`${inProjectOf(project.file)}\`${user ? ' of a project' : ' with `--project`'}`,
  ].filter(Boolean)
  return files.length > 0 ? `a marked paragraph in ${files.join(', or in ')}` : undefined
}

/** Where programs keep their files on other systems, where that differs. */
function elsewhere({ user }: Client): string | undefined {
  const [mac, windows] = [user(placesOn('darwin')), user(placesOn('win32', { APPDATA: '%APPDATA%' }))]
  if (mac === user(placesOn('linux'))) return undefined
  return `\`${mac}\`, \`${windows.replaceAll('/', '\\')}\``
}

function variablesOf(file: (places: Places) => string): string[] {
  const names = new Set<string>()
  const env = new Proxy<Places['env']>(
    {},
    {
      get: (_, name) => {
        names.add(String(name))
        return undefined
      },
    },
  )
  file({ ...placesOn('linux'), env })
  return [...names]
}

function placesOn(platform: NodeJS.Platform, env: Places['env'] = {}): Places {
  return { home: HOME, cwd: PROJECT, env, platform }
}

function inProjectOf(file: (places: Places) => string): string {
  return file(placesOn('linux')).slice(PROJECT.length + 1)
}

/** As a program would write it. */
function keysIn(path: Path): string {
  const [first = '', ...rest] = path
  return `\`${first}${rest.map((key) => (/^\w+$/.test(key) ? `.${key}` : `["${key}"]`)).join('')}\``
}

function assigned([field, value]: [string, unknown]): string {
  return `\`${field}\`: ${code(value)}`
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(rows: [string, string][]): string {
  return ['| | |', '| --- | --- |', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

function shownPath(text: string): string {
  return text.replaceAll(PROJECT, '~/website').replaceAll(HOME, '~')
}
