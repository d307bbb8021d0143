import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import type { Era } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { startHubWithSocket } from '../support/hub.ts'
import { answering, bothAnswers, type Call, type Comparing, comparable } from '../support/upstream/compared.ts'
import { connectTo, raw, untilMount } from '../support/upstream/gateway.ts'
import {
  CAPABILITIES,
  connectByLine,
  connectDirectly,
  everythingAt,
  folderWith,
  realServer,
} from '../support/upstream/real-servers.ts'

const DATA = 'data:text/plain;base64,SGVsbG8='
const CALLS: Call[] = [
  { name: 'echo', arguments: { message: 'Hällo \u{1F44B}' } },
  { name: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true } },
  { name: 'get-annotated-message', arguments: { messageType: 'debug' } },
  { name: 'get-env' },
  { name: 'get-resource-links', arguments: { count: 4 } },
  { name: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: 2 } },
  { name: 'get-resource-reference', arguments: { resourceType: 'Blob', resourceId: 3 } },
  { name: 'get-resource-reference', arguments: { resourceType: 'None', resourceId: 3 } },
  { name: 'get-structured-content', arguments: { location: 'Chicago' } },
  { name: 'get-sum', arguments: { a: 1.5, b: -4 } },
  { name: 'get-sum', arguments: { a: 'one' } },
  { name: 'get-tiny-image' },
  { name: 'gzip-file-as-resource', arguments: { name: 'hello.gz', data: DATA, outputType: 'resource' } },
  { name: 'gzip-file-as-resource', arguments: { name: 'link.gz', data: DATA, outputType: 'resourceLink' } },
  { name: 'toggle-simulated-logging' },
  { name: 'toggle-subscriber-updates' },
  { name: 'trigger-elicitation-request' },
  { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
  { name: 'trigger-sampling-request', arguments: { prompt: 'Think', maxTokens: 10 } },
  { name: 'trigger-url-elicitation', arguments: { url: 'https://example.org/', message: 'Go there' } },
  { name: 'trigger-url-elicitation', arguments: { url: 'https://example.org/', errorPath: true } },
]
/** Compared by itself. */
const TASK = 'simulate-research-query'
const PROMPTS: Call[] = [
  { name: 'simple-prompt' },
  { name: 'args-prompt', arguments: { city: 'Paris', state: 'Texas' } },
  { name: 'args-prompt' },
  { name: 'completable-prompt', arguments: { department: 'Sales', name: 'David' } },
  { name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '1' } },
]
const URIS = ['demo://resource/static/document/features.md', 'demo://resource/dynamic/blob/7', 'demo://none']

type Way = [way: 'stdio' | 'streamableHttp' | 'sse', by: 'HTTP' | 'a line', Era]

/** Each way to a server, each way of a client and each era once. */
const WAYS: Way[] = [
  ['stdio', 'a line', 'modern'],
  ['streamableHttp', 'HTTP', 'legacy'],
  ['sse', 'HTTP', 'modern'],
]
/** The same parts, put together otherwise: with `PARLEY_SOAK`. */
const OTHER_WAYS: Way[] = [
  ['stdio', 'HTTP', 'legacy'],
  ['stdio', 'HTTP', 'modern'],
  ['stdio', 'a line', 'legacy'],
  ['streamableHttp', 'HTTP', 'modern'],
]

test.each(SOAK > 1 ? [...WAYS, ...OTHER_WAYS] : WAYS)(
  '[G49] the reference server of everything (%s) gives by %s (%s) through the gateway what it gives directly',
  async (way, by, era) => {
    const serverOf = async () => (way === 'stdio' ? realServer('everything') : everythingAt(way))
    const data = await folderWith({ all: await serverOf() })
    const { url, gateway } = await startHubWithSocket(data)
    await untilMount(gateway, 'all', ({ state }) => state === 'ready')
    const connecting = by === 'HTTP' ? connectTo(url, era, { capabilities: CAPABILITIES }) : connectByLine(data, era)
    const [direct, through] = (await Promise.all([serverOf().then(connectDirectly), connecting])).map(answering) as [
      Client,
      Client,
    ]
    await same({ direct, through })
  },
)

test.each(erasOf('legacy'))(
  '[G50] a tool that its server runs as a task can be called by every client (%s), and is answered when it is done',
  async (era) => {
    const config = realServer('everything')
    const { url } = await startHubWithSocket(await folderWith({ all: config }))
    const connecting = connectTo(url, era, { capabilities: CAPABILITIES })
    const [direct, through] = (await Promise.all([connectDirectly(config), connecting])).map(answering) as [
      Client,
      Client,
    ]
    const call = { name: TASK, arguments: { topic: 'python', ambiguous: true } }
    const { task } = (await raw(direct, 'tools/call', { ...call, task: {} })) as { task: { taskId: string } }
    const [own, all] = await Promise.all([
      raw(direct, 'tasks/result', { taskId: task.taskId }),
      raw(through, 'tools/call', { ...call, name: `all_${TASK}` }),
    ])
    expect(JSON.stringify(own)).toContain('(snake)')
    expect(comparable(all)).toEqual(comparable(own))
    const { tools } = await through.listTools()
    expect(tools.find(({ name }) => name === `all_${TASK}`)).not.toHaveProperty('execution')
  },
)

async function same(both: Comparing) {
  const { direct, through } = both
  await sameList(both, 'tools/list', 'tools', CALLS)
  for (const call of CALLS) await sameAnswers(both, 'tools/call', call)
  await sameList(both, 'prompts/list', 'prompts', PROMPTS)
  for (const call of PROMPTS) await sameAnswers(both, 'prompts/get', call)
  for (const list of ['resources', 'resources/templates']) {
    const [own, all] = await Promise.all([direct, through].map((client) => raw(client, `${list}/list`)))
    const [key = ''] = Object.keys(own ?? {})
    // The first is the gateway's own.
    expect(comparable((all?.[key] as unknown[] | undefined)?.slice(1))).toEqual(comparable(own?.[key]))
  }
  for (const uri of URIS) expect(await readBy(through, `gateway://all/${uri}`)).toEqual(await readBy(direct, uri))
}

async function sameAnswers(both: Comparing, method: string, call: Call) {
  const [own, all] = await bothAnswers(both, method, call)
  expect(all, JSON.stringify(call)).toEqual(own)
}

/** Everything that it has is compared; whether it is a task concerns only the gateway. */
async function sameList({ direct, through }: Comparing, method: string, key: string, calls: Call[]) {
  const own = (await raw(direct, method))[key] as { name: string; execution?: object }[]
  const all = (await raw(through, method))[key] as { name: string }[]
  const mounted = all.filter(({ name }) => name.startsWith('all_'))
  expect(mounted).toEqual(own.map(({ execution: _, ...item }) => ({ ...item, name: `all_${item.name}` })))
  expect(
    own.map(({ name }) => name).filter((name) => name !== TASK && !calls.some((call) => call.name === name)),
  ).toEqual([])
}

async function readBy(client: Client, uri: string): Promise<unknown> {
  return comparable(await raw(client, 'resources/read', { uri }).catch(({ code, message }) => ({ code, message })))
}
