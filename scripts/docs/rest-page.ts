import { readFileSync } from 'node:fs'
import { anchorOf, code, fence, page, table } from './markdown.ts'
import type { RunningHub } from './running-hub.ts'

interface RouteText {
  about: string
  /** What the request has besides its path: headers, parameters, a body. */
  takes?: string
  answers: string
}

const ROUTES: Record<string, RouteText> = {
  'POST /api/tools/:name': {
    about: 'Calls a tool by its name, with or without its server before it: `chat_human_post`, `ui_chat_human_post`.',
    takes: 'The input of the [tool](tools.md) as JSON, whatever the content type says.',
    answers: 'What the tool answers, as JSON.',
  },
  'POST /api/mcp/call': {
    about: 'The same, with server and tool apart.',
    takes: '`{"server", "tool", "arguments"}` as JSON. Servers are the [surfaces](tools.md) except bridge and agent.',
    answers: 'What the tool answers, as JSON.',
  },
  'POST /api/attachments': {
    about: 'Uploads a file before it is said. A `post` in the dialect [timeline](frames.md#timeline) names it then.',
    takes:
      'The bytes, with their `Content-Type`; the name of the file, percent-encoded, in the header `X-Name`, or as `?name=`.',
    answers: '[Attachment](shapes.md#attachment): what the file is, read from its bytes.',
  },
  'GET /attachments/:hash/:name': {
    about: 'A file by the hash of its content, under any name.',
    takes: 'A `Range`, if only a part of it is wanted.',
    answers: 'Its bytes. Images and PDF can be shown, everything else is to be saved.',
  },
  'GET /api/export/*': {
    about: 'A conversation as one file. The rest of the path is its name or title.',
    takes: '`?format=md`, `json` or `html`.',
    answers: 'The file.',
  },
  'POST /api/reveal': {
    about: 'What is masked in a call, for who may decide about it.',
    takes: '`{"entry"}` as JSON: the entry of the call.',
    answers: 'The call as it was, as JSON.',
  },
  'POST /api/changes': {
    about: 'What the agent of a conversation changed, by file, for people who may read the conversation.',
    takes: '`{"conversation"}` as JSON; with `"path"`, only that file, and more of it.',
    answers:
      '[Changes](shapes.md#changes): the differences of the folder since the conversation began, from its runner, or the edits that the agent reported.',
  },
  'POST /api/choices': {
    about: 'What can be chosen of an agent, for people: also what was left out of a long list.',
    takes:
      '`{"conversation", "list"}` as JSON, or `{"runner", "list"}`; `list` is `modes`, `models` or `commands`. With `"query"`, only what has these words, and with `"after"`, the page that begins there.',
    answers: '[ChoicesPage](shapes.md#choicespage): those that fit, the best first.',
  },
  'GET /healthz': { about: 'Whether the process is alive.', answers: '200, always.' },
  'GET /readyz': {
    about: 'Whether the hub can work.',
    answers: '200, or 503 with the reason: it is starting or closing, or its disk is full.',
  },
  'GET /metrics': { about: '[Metrics](metrics.md).', answers: 'The Prometheus text format.' },
  'GET /sign-in/:code': {
    about: 'The page that a link of `parley token link` or `parley open` leads to. Looking at it uses nothing up.',
    answers: 'A page with a button.',
  },
  'POST /sign-in/:code': {
    about: 'Its button: signs this browser in, once.',
    answers: 'A cookie, and a key for the page.',
  },
  'POST /sign-out': { about: 'Signs this browser out, and ends what it has open.', answers: '204.' },
  'GET /api/devices': {
    about: 'The devices that are signed in as the person who asks.',
    answers: '`{"devices"}`: each with its `id`, `name`, `signed_in_at`, `expires_at`, and whether it `is_this` one.',
  },
  'POST /api/devices/name': {
    about: 'Names the device that asks.',
    takes: '`{"name"}` as JSON.',
    answers: 'The same list.',
  },
  'POST /api/devices/end': {
    about: 'Signs one of them out, and ends what it has open.',
    takes: '`{"id"}` as JSON.',
    answers: 'The same list, without it.',
  },
  'GET /oauth/callback': {
    about: 'Where a browser of this machine returns to after signing in to a mounted server.',
    answers: 'A page that says so.',
  },
  'GET /api/decided-calls': {
    about: 'What people decided about calls, for `parley policy suggest`.',
    answers: 'JSON, one decision a line.',
  },
  'GET /api/conversations': {
    about: 'All conversations, newest first, for `parley list`.',
    answers: 'JSON, one conversation a line.',
  },
  'GET /api/audit': { about: 'Every call, for `parley audit`.', answers: 'JSON, one call a line.' },
  'GET /api/audit/verify': {
    about: 'Whether the chain of the audit is whole, for `parley audit verify`.',
    takes: '`?head=`: a digest that was kept.',
    answers: 'What was found, as JSON.',
  },
}

const TABLE = 'test/doors/table.md'
const WHO = ['nobody', 'human', 'agent', 'orchestrator', 'admin']

/** Every route but those of MCP and of the page. */
export function restPage({ routes, examples }: RunningHub): string {
  const served = [...new Set(routes.filter(isOwn).map(({ method, path }) => `${method} ${path}`))]
  const differ = [...served, ...Object.keys(ROUTES)].filter((route) => !ROUTES[route] || !served.includes(route))
  if (differ.length > 0) throw new Error(`Routes and their descriptions differ: ${differ.join(', ')}`)
  const mcp = routes.filter(({ path }) => path.startsWith('/mcp')).map(({ path }) => code(path))
  return page(
    '# REST',
    `Everything here is at the address of the page. Where there are tokens, \`Authorization: Bearer TOKEN\` says who calls; pages of other origins have to be named with \`--allow-origin\`. A refusal is JSON, \`{"error"}\` with one sentence, and has the status of its [error](errors.md). MCP is at ${mcp.join(', ')}: see [Tools](tools.md). WebSockets are at \`/ws\`: see [Frames](frames.md).`,
    table(
      ['route', 'what for', 'who may'],
      Object.entries(ROUTES).map(([route, { about }]) => [
        `[${code(route)}](#${anchorOf(route)})`,
        about,
        whoMay(route),
      ]),
    ),
    `“Who may” is where there are tokens; [${TABLE}](../../${TABLE}) says it for every role and every refusal.`,
    ...Object.entries(ROUTES).flatMap(([route, { about, takes, answers }]) => [
      `## ${route}`,
      about,
      takes && `Takes: ${takes}`,
      `Answers: ${answers}`,
      exampleOf(examples.get(route)),
    ]),
  )
}

function isOwn({ method, path }: { method: string; path: string }): boolean {
  return method !== 'ALL' && !path.startsWith('/mcp')
}

/** As the table of doors says, which a test compares with a running hub. */
function whoMay(route: string): string {
  if (route.startsWith('POST /api/tools') || route.startsWith('POST /api/mcp')) return 'as the tool says'
  const over = readFileSync(TABLE, 'utf8').split(/^## /m)
  const row = (door: string) => rowIn(over.find((text) => text.startsWith(`${door}\n`)) ?? '', route)
  const net = row('HTTP')
  if (net.nobody === 'yes' || route === 'GET /oauth/callback') return 'everyone'
  const roles = WHO.filter((who) => net[who] === 'yes')
  return roles.length > 0 ? roles.join(', ') : 'the owner of the data folder, over its socket'
}

function rowIn(door: string, route: string): Record<string, string> {
  const cells = (line: string) => line.split('|').map((text) => text.trim().replaceAll('`', ''))
  const lines = door.split('\n').filter((line) => line.startsWith('|'))
  const row = lines.map(cells).find((line) => line[1] === route)
  if (!row) throw new Error(`${TABLE} has no row for ${route}`)
  return Object.fromEntries(cells(lines[0] ?? '').map((column, n) => [column, row[n] ?? '']))
}

function exampleOf(example: { path: string; body?: object; answer: string } | undefined): string | undefined {
  if (!example) return undefined
  const { path, body, answer } = example
  const data = body ? ` \\\n  -d '${JSON.stringify(body)}'` : ''
  return `${fence('sh', `curl http://localhost:4117${path}${data}`)}\n\n${fence('json', answer)}`
}
