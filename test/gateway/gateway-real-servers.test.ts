import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import type { Era } from '../support/agent.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { connectV1, connectV2 } from '../support/mcp/sdk-clients.ts'
import { type Call, comparable } from '../support/upstream/compared.ts'
import { connectTo, raw, untilMount } from '../support/upstream/gateway.ts'
import { connectByLine, connectDirectly, folderWith, realServer } from '../support/upstream/real-servers.ts'

/** In the place of the folder that each server has for itself. */
const FOLDER = '/FOLDER'
const TEXT = `${FOLDER}/text.txt`
const IN_FILES: Call[] = [
  { name: 'list_allowed_directories' },
  { name: 'read_text_file', arguments: { path: TEXT, head: 1 } },
  { name: 'read_file', arguments: { path: TEXT } },
  { name: 'read_file', arguments: { path: '/elsewhere' } },
  { name: 'read_media_file', arguments: { path: `${FOLDER}/image.png` } },
  { name: 'read_multiple_files', arguments: { paths: [TEXT, `${FOLDER}/none`] } },
  { name: 'create_directory', arguments: { path: `${FOLDER}/deep` } },
  { name: 'write_file', arguments: { path: `${FOLDER}/new.txt`, content: 'Neu: ü\n' } },
  {
    name: 'edit_file',
    arguments: { path: `${FOLDER}/new.txt`, edits: [{ oldText: 'Neu', newText: 'Neuer' }], dryRun: false },
  },
  { name: 'move_file', arguments: { source: `${FOLDER}/new.txt`, destination: `${FOLDER}/deep/moved.txt` } },
  { name: 'list_directory', arguments: { path: FOLDER } },
  { name: 'list_directory_with_sizes', arguments: { path: FOLDER, sortBy: 'size' } },
  { name: 'directory_tree', arguments: { path: FOLDER } },
  { name: 'search_files', arguments: { path: FOLDER, pattern: '**/*.txt' } },
  { name: 'get_file_info', arguments: { path: `${FOLDER}/deep/moved.txt` } },
]
const entity = (name: string) => ({ name, entityType: 'person', observations: ['Lives in Paris'] })
const knows = { from: 'Ada', to: 'Bob', relationType: 'knows' }
const IN_MEMORY: Call[] = [
  { name: 'create_entities', arguments: { entities: [entity('Ada'), entity('Bob')] } },
  { name: 'create_relations', arguments: { relations: [knows] } },
  { name: 'add_observations', arguments: { observations: [{ entityName: 'Ada', contents: ['Counts'] }] } },
  { name: 'add_observations', arguments: { observations: [{ entityName: 'Nobody', contents: ['Counts'] }] } },
  { name: 'read_graph' },
  { name: 'search_nodes', arguments: { query: 'counts' } },
  { name: 'open_nodes', arguments: { names: ['Ada', 'Nobody'] } },
  { name: 'delete_observations', arguments: { deletions: [{ entityName: 'Ada', observations: ['Counts'] }] } },
  { name: 'delete_relations', arguments: { relations: [knows] } },
  { name: 'delete_entities', arguments: { entityNames: ['Bob'] } },
  { name: 'read_graph' },
]

const WAYS: ['filesystem' | 'memory', 'HTTP' | 'a line', Era][] = [
  ['filesystem', 'HTTP', 'legacy'],
  ['memory', 'a line', 'modern'],
  ['filesystem', 'a line', 'modern'],
  ['memory', 'HTTP', 'legacy'],
]

/** Without `PARLEY_SOAK` each server and each way once. */
test.each(SOAK > 1 ? WAYS : WAYS.slice(0, 2))(
  '[G49] the reference server of %s gives by %s (%s) what it gives directly',
  async (name, by, era) => {
    const calls = name === 'memory' ? IN_MEMORY : IN_FILES
    const [own, mounted] = [await folderOf(name), await folderOf(name)]
    const data = await folderWith({ all: mounted.server })
    const { url, gateway } = await startHubWithSocket(data)
    await untilMount(gateway, 'all', ({ state }) => state === 'ready')
    const direct = await connectDirectly(own.server)
    const through = by === 'HTTP' ? await connectTo(url, era) : await connectByLine(data, era)
    const { tools } = (await raw(direct, 'tools/list')) as { tools: { name: string; execution?: object }[] }
    const listed = (await raw(through, 'tools/list')) as { tools: { name: string }[] }
    expect(listed.tools.filter((tool) => tool.name.startsWith('all_'))).toEqual(
      tools.map(({ execution: _, ...tool }) => ({ ...tool, name: `all_${tool.name}` })),
    )
    expect(new Set(calls.map((call) => call.name))).toEqual(new Set(tools.map((tool) => tool.name)))
    for (const call of calls) {
      const given = await answer(through, mounted.folder, { ...call, name: `all_${call.name}` })
      expect(given, JSON.stringify(call)).toEqual(await answer(direct, own.folder, call))
    }
  },
)

test('[G49] the clients of both SDKs can use a reference server, and are given its completions', async () => {
  const data = await folderWith({ all: realServer('everything') })
  const { url, gateway } = await startHubWithSocket(data)
  await untilMount(gateway, 'all', ({ state }) => state === 'ready')
  const at = `${url}/mcp/gateway`
  for (const client of [await connectV1(at), await connectV2(at, 'legacy'), await connectV2(at, 'auto')]) {
    expect(await client.tools()).toContain('all_get-structured-content')
    // A list that a server is slow with comes without it at first.
    await expect.poll(client.resources).toContain('gateway://all/demo://resource/static/document/features.md')
    expect(await client.call('all_get-structured-content', { location: 'Chicago' })).toMatchObject({
      conditions: 'Light rain / drizzle',
    })
  }
  const through = await connectTo(url)
  const direct = await connectDirectly(realServer('everything'))
  const department = { name: 'department', value: 'S' }
  const ofPrompt = (name: string) => ({ ref: { type: 'ref/prompt' as const, name }, argument: department })
  expect((await through.complete(ofPrompt('all_completable-prompt'))).completion).toEqual(
    (await direct.complete(ofPrompt('completable-prompt'))).completion,
  )
  const uri = 'demo://resource/dynamic/text/{resourceId}'
  const argument = { name: 'resourceId', value: '4' }
  const { completion } = await through.complete({
    ref: { type: 'ref/resource', uri: `gateway://all/${uri}` },
    argument,
  })
  expect(completion).toEqual((await direct.complete({ ref: { type: 'ref/resource', uri }, argument })).completion)
  expect(completion.values).toEqual(['4'])
})

async function folderOf(name: 'filesystem' | 'memory') {
  const folder = await temporaryFolder()
  if (name === 'memory')
    return { folder, server: realServer('memory', [], { MEMORY_FILE_PATH: join(folder, 'graph') }) }
  writeFileSync(join(folder, 'text.txt'), 'one\ntwo\n')
  writeFileSync(join(folder, 'image.png'), png(2, 2))
  return { folder, server: realServer('filesystem', [folder]) }
}

async function answer(client: Client, folder: string, call: Call): Promise<unknown> {
  const params = JSON.parse(JSON.stringify(call).replaceAll(FOLDER, folder))
  const result = await raw(client, 'tools/call', params)
  const text = JSON.stringify(comparable(result)).replaceAll(folder, FOLDER)
  return JSON.parse(text.replace(/\w{3} \w{3} \d\d \d{4} [\d:]+ GMT\S+ \([^)]*\)/g, 'DATE'))
}
