import { appendFileSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mountOf } from './mount-of.ts'
import { servePlainly } from './plain-server.ts'

/** A server whose deeds can be counted: each `write` is one line of the file DIARY, beside which stands its process. */
const program = fileURLToPath(import.meta.url)

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: true } as const

const PAINTED = {
  type: 'object',
  properties: { title: { type: 'string' }, pages: { type: 'integer' } },
  required: ['title', 'pages'],
  additionalProperties: false,
} as const

/** What `paint` gives: texts over every limit, an image, and fields that fit its schema. */
export function painted(title: string) {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return {
    content: [
      { type: 'text' as const, text: `${title} ${'ä€😀'.repeat(5000)}` },
      { type: 'image' as const, data, mimeType: 'image/png' },
      { type: 'resource_link' as const, uri: 'memo://one', name: 'one' },
    ],
    structuredContent: { title, pages: 3 },
  }
}

/** The server as it stands in a file of mounts. */
export function diaryAt(diary: string) {
  return mountOf([program], { DIARY: diary })
}

if (process.argv[1] === program) serve(process.env.DIARY ?? '')

function serve(diary: string) {
  writeFileSync(`${diary}.pid`, `${process.pid}`)
  let about = 'Writes a line'
  const server = servePlainly({
    name: 'diary',
    capabilities: { tools: { listChanged: true } },
    answers: { 'tools/list': list, 'tools/call': call },
  })

  function list() {
    return {
      tools: [
        { name: 'write', description: about, inputSchema: TEXT },
        { name: 'read', description: 'Reads', inputSchema: TEXT, annotations: { readOnlyHint: true } },
        { name: 'paint', description: 'Writes a line, and gives much', inputSchema: TEXT, outputSchema: PAINTED },
        { name: 'become', description: 'Says something else of write', inputSchema: TEXT },
      ],
    }
  }

  async function call({ name, arguments: input = {} }: { name?: string; arguments?: Input }, signal: AbortSignal) {
    const text = String(input.text ?? '')
    if (name === 'write' || name === 'paint') appendFileSync(diary, `${JSON.stringify(input)}\n`)
    if (typeof input.kill === 'number') process.kill(input.kill, 'SIGKILL')
    if (input.hold === true) signal.onabort = () => writeFileSync(`${diary}.cancelled`, text)
    if (input.hold === true) await new Promise(() => {})
    if (typeof input.until === 'string') await thereIs(input.until)
    if (name === 'become') {
      about = text
      server.notify('notifications/tools/list_changed')
    }
    if (name === 'paint') return painted(text)
    return { content: [{ type: 'text', text: name === 'read' ? readDiary(diary).join('\n') : `Wrote ${text}` }] }
  }
}

type Input = Record<string, unknown>

/** The folder is made by who holds the call. */
function thereIs(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), look)
    look()

    function look() {
      if (!existsSync(file)) return
      watcher.close()
      resolve()
    }
  })
}

/** What was written, a line for each run. */
export function readDiary(diary: string): string[] {
  return existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n').filter(Boolean) : []
}
