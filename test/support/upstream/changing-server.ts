import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Gateway } from '../../../src/governance/gateway/gateway.ts'
import { mountOf } from './mount-of.ts'
import { servePlainly } from './plain-server.ts'

/** A server whose tools are what a file says at the moment, which it tells; each call is one line of another file. */
const program = fileURLToPath(import.meta.url)
const SCHEMA = { type: 'object', additionalProperties: true }

export interface ChangingTool {
  name: string
  [more: string]: unknown
}

if (process.argv[1] === program) serve(process.env.PLACE ?? '')

function serve(place: string) {
  const server = servePlainly({
    name: 'changing',
    capabilities: { tools: { listChanged: true } },
    answers: { 'tools/list': list, 'tools/call': call },
  })
  watch(place, (_, file) => file === 'tools.json' && server.notify('notifications/tools/list_changed'))

  async function list() {
    if (existsSync(join(place, 'hold'))) writeFileSync(join(place, 'asked'), '')
    await until(place, () => !existsSync(join(place, 'hold')))
    return { tools: JSON.parse(readFileSync(join(place, 'tools.json'), 'utf8')) }
  }

  function call({ name, arguments: input }: { name?: string; arguments?: object }) {
    appendFileSync(join(place, 'calls'), `${JSON.stringify([name, input])}\n`)
    return { content: [{ type: 'text', text: `Did ${name}` }] }
  }
}

/** Such a server in a folder as it is mounted, how it becomes another one, and what it was called for. */
export function changingServer(place: string, ...tools: ChangingTool[]) {
  say(tools)
  const mount = mountOf([program], { PLACE: place })
  return { mount, become, becomeUnlisted, done }

  function say(next: ChangingTool[]) {
    const part = join(place, 'part')
    writeFileSync(part, JSON.stringify(next.map((tool) => ({ inputSchema: SCHEMA, ...tool }))))
    renameSync(part, join(place, 'tools.json'))
  }

  /** Resolves once the hub knows. */
  async function become(gateway: Gateway, ...next: ChangingTool[]) {
    const known = Promise.withResolvers<void>()
    const following = gateway.onChange((change) => {
      if ('list' in change && change.list === 'tools') known.resolve()
    })
    say(next)
    await known.promise
    following.close()
  }

  /** It has told that its tools are others, was asked which, and says it when it is let. */
  async function becomeUnlisted(...next: ChangingTool[]): Promise<() => void> {
    writeFileSync(join(place, 'hold'), '')
    say(next)
    await until(place, () => existsSync(join(place, 'asked')))
    return () => rmSync(join(place, 'hold'))
  }

  /** What it was called for, in its order. */
  function done(): [tool: string, input: unknown][] {
    const file = join(place, 'calls')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  }
}

function until(place: string, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(place, look)
    look()

    function look() {
      if (!isSo()) return
      watcher.close()
      resolve()
    }
  })
}
