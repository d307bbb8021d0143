import { breakFrame, type Fields, wholeFrame } from '../fuzz/broken-frames.ts'
import { ask } from './asking.ts'
import type { Tool } from './mcp-door.ts'
import { madeBy } from './values.ts'
import type { Who, World } from './world.ts'

const ANYONE: Who[] = ['ada', 'ada', 'robot', 'boss', 'root', 'nobody', 'stranger']
const NAMES = ['a.txt', '../../etc/passwd', '%00', 'x'.repeat(300), '\u202egnp.exe', '', 'ä.png', '%zz']
const MIMES = ['text/plain', 'image/png', 'text/html', 'nonsense', 'a/b; c=d', 'x'.repeat(300)]
const RANGES = ['bytes=0-', 'bytes=5-2', 'bytes=-1', 'bytes=0-0,2-3', 'items=1', 'bytes=99999999999999999999-']

/** REST, uploads, downloads, exports and whatever else is asked over HTTP. */
export function httpDoor(world: World, servers: { server: string; tools(): Tool[] }[]) {
  const { dice } = world
  return { name: 'HTTP', step }

  function step(): Promise<unknown> {
    const who = dice.pick(ANYONE)
    return dice.pick([call, call, call, upload, download, exported, elsewhere])(who)
  }

  function call(who: Who) {
    const { server, tools } = dice.pick(servers)
    const known = tools()
    const tool = known.length > 0 ? dice.pick(known) : { name: 'nothing', inputSchema: {} }
    const input = JSON.stringify(madeBy(tool.inputSchema, world) ?? {})
    if (dice.chance(0.5)) {
      const bytes = dice.chance(0.5) ? Buffer.from(input) : breakFrame(dice, fieldsIn(input)).bytes
      const name = encodeURIComponent(dice.chance(0.9) ? `${server}_${tool.name}` : dice.pick(NAMES))
      return ask(world, { who, method: 'POST', path: `/api/tools/${name}`, body: bytes })
    }
    const fields: Fields = [
      ['server', JSON.stringify(server)],
      ['tool', JSON.stringify(tool.name)],
      ['arguments', input],
    ]
    const { bytes } = dice.chance(0.5) ? wholeFrame(fields) : breakFrame(dice, fields)
    return ask(world, { who, method: 'POST', path: '/api/mcp/call', body: bytes })
  }

  function upload(who: Who) {
    const headers = { 'content-type': dice.pick(MIMES), 'x-name': encodeURIComponent(dice.pick(NAMES)) }
    const body = Buffer.alloc(dice.pick([0, 1, 100, 70_000]), dice.below(256))
    return ask(world, { who, method: dice.pick(['POST', 'POST', 'PUT']), path: '/api/attachments', headers, body })
  }

  function download(who: Who) {
    const path = `/attachments/${dice.pick(world.hashes)}/${encodeURIComponent(dice.pick(NAMES))}`
    const headers: Record<string, string> = dice.chance(0.5) ? { range: dice.pick(RANGES) } : {}
    return ask(world, { who, method: dice.pick(['GET', 'HEAD', 'DELETE']), path, headers })
  }

  function exported(who: Who) {
    const name = encodeURIComponent(dice.pick(world.stock.conversations))
    const format = dice.pick(['md', 'json', 'html', 'exe', '%00'])
    return ask(world, { who, method: 'GET', path: `/api/export/${name}?format=${format}` })
  }

  function elsewhere(who: Who) {
    const path = dice.pick([
      '/healthz',
      '/readyz',
      '/metrics',
      '/',
      '/sw.js',
      '/api',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/ws',
    ])
    return ask(world, { who, method: dice.pick(['GET', 'POST', 'OPTIONS', 'HEAD', 'PATCH']), path })
  }
}

function fieldsIn(json: string): Fields {
  const fields = Object.entries(JSON.parse(json) as object)
  return fields.length === 0 ? [['a', '1']] : fields.map(([name, value]) => [name, JSON.stringify(value)])
}
