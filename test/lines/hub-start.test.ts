import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, watch, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/chat.ts'
import { temporaryFolder } from '../support/hub.ts'
import { builtLine, startsIn } from '../support/lines/built-line.ts'
import { listenAsHub, type Said } from '../support/lines/scripted-hub.ts'

const { line: start, freshFolder } = builtLine()

async function scripted(script: Said) {
  const data = await freshFolder()
  await mkdir(data)
  await writeFile(join(data, 'script.json'), JSON.stringify(script))
  return data
}

test('[C75] where no hub runs the line starts one, private to its owner, that outlives the line', async () => {
  const data = await freshFolder()
  const line = start(data, { args: ['--max-rate', '7', '--port', '0'], env: { PARLEY_KEEP: '5' } })
  line.request(1, 'initialize')
  const { result } = await line.next()
  const given = { data, 'max-rate': '7', port: '0', keep: '5' }
  expect(startsIn(data)).toMatchObject([{ asked: { data, given, port: 0 }, cwd: data, pid: result.pid }])
  expect((await stat(data)).mode & 0o777).toBe(0o700)
  expect((await stat(join(data, 'hub.log'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(data, 'hub.log'), 'utf8')).toBe('this goes to the log\n')
  line.child.stdin.end()
  expect((await line.ended).stderr).toBe('http://localhost:4117\n')
  const again = start(data)
  again.request(1, 'initialize')
  expect((await again.next()).result.pid).toBe(result.pid)
  expect(await readdir(data)).not.toContain('hub.starting')
})

test('[M94] a hub that a line starts has a young generation of 4 MB in each half, whatever Node would give it', async () => {
  const data = await freshFolder()
  const line = start(data)
  line.request(1, 'initialize')
  await line.next()
  expect(startsIn(data)).toMatchObject([{ execArgv: ['--max-semi-space-size=4'] }])
})

test('[C75] of many lines that find no hub one starts it, and all use it', async () => {
  const data = await freshFolder()
  const lines = Array.from({ length: 12 }, () => start(data))
  for (const line of lines) line.request(1, 'initialize')
  const answers = await Promise.all(lines.map((line) => line.next()))
  expect(new Set(answers.map(({ result }) => result.pid)).size).toBe(1)
  expect(startsIn(data)).toHaveLength(1)
})

test('[C75] so it is where the hub takes its time', async () => {
  const data = await scripted({ slowMs: 5000 })
  const lines = [start(data), start(data)]
  for (const line of lines) line.request(1, 'initialize')
  const answers = await Promise.all(lines.map((line) => line.next()))
  expect(startsIn(data).map(({ pid }) => pid)).toEqual([answers[0]?.result.pid])
})

test('[C75] who started a hub and died keeps nobody from starting the next', async () => {
  const data = await scripted({})
  await writeFile(join(data, 'hub.starting'), '')
  await utimes(join(data, 'hub.starting'), 0, 0)
  const line = start(data)
  line.request(1, 'initialize')
  expect((await line.next()).id).toBe(1)
})

test('[C76] a line whose client is gone before it said anything starts no hub', async () => {
  const data = await freshFolder()
  const line = start(data)
  line.child.stdin.end()
  expect(await line.ended).toEqual({ code: 0, stderr: '', heard: [] })
  expect(await readdir(join(data, '..'))).toEqual([])
})

test('[C76] a client that says nothing gets its hub all the same', async () => {
  const line = start(await freshFolder())
  expect(await line.told(/\n/)).toBe('http://localhost:4117\n')
})

test('[C77] a hub that cannot start is told in its own sentence, to whoever asks too, and the line ends', async () => {
  const data = await scripted({ failed: { code: 'data_corrupt', text: 'The log is damaged' } })
  const line = start(data)
  line.request(1, 'initialize')
  expect(await line.ended).toEqual({
    code: 1,
    stderr: 'The log is damaged\n',
    heard: [{ jsonrpc: '2.0', id: 1, error: { code: -32004, message: 'The log is damaged' } }],
  })
  expect(await readdir(data)).not.toContain('hub.starting')
})

test('[C77] a hub that dies while it starts leaves its reasons in the log', async () => {
  const data = await scripted({ crash: true })
  const line = start(data)
  line.request(1, 'initialize')
  const { code, stderr } = await line.ended
  expect([code, stderr]).toEqual([1, `The hub ended before it could be used; see ${data}/hub.log\n`])
})

test('[C77] where this Node is too old for a hub, and no other came along, the sentence says what to do', async () => {
  const older = join(await temporaryFolder(), 'older.cjs')
  await writeFile(older, "Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } })")
  const line = start(await freshFolder(), { env: { NODE_OPTIONS: `--require=${older}` } })
  line.request(1, 'initialize')
  const { code, stderr } = await line.ended
  const [, program] = line.child.spawnargs
  expect([code, stderr]).toEqual([
    1,
    `Parley needs Node 24.15 or newer, and this is ${process.version}: install a newer one, or try npx -p node@24 node ${program}\n`,
  ])
})

test('[C165] a hub that is killed while it starts is started again, and nobody is told', async () => {
  const data = await scripted({ killed: 2 })
  const line = start(data)
  line.request(1, 'initialize')
  expect((await line.next()).result.pid).toBe(startsIn(data).at(-1)?.pid)
  expect(startsIn(data)).toHaveLength(3)
  expect(await line.told(/\n/)).toBe('http://localhost:4117\n')
})

test('[C165] one that ends each time is started three times, and then its log is named', async () => {
  const data = await scripted({ killed: 9 })
  const line = start(data)
  line.request(1, 'initialize')
  const { code, stderr } = await line.ended
  expect([code, stderr]).toEqual([1, `The hub ended before it could be used; see ${data}/hub.log\n`])
  expect(startsIn(data)).toHaveLength(3)
})

test('[C165] a hub of its own that is killed while it starts is started again, too', async () => {
  const starts = join(await temporaryFolder(), 'starts')
  const line = start('memory', { env: { SCRIPT: JSON.stringify({ killed: 1, starts }) } })
  line.request(1, 'initialize')
  expect((await line.next()).result.pid).toBe(startsIn(dirname(starts)).at(-1)?.pid)
})

test('[C77] a data folder that cannot be made is named in one sentence', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, 'in the way')
  const { code, stderr } = await start(join(file, 'data')).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\S+data cannot be made \(.+\); choose another folder with --data\n$/)
})

test('[C77] where no process can be started the sentence says what to do, once, and the line goes on trying', async () => {
  const data = await scripted({})
  const node = join(await temporaryFolder(), 'node')
  await copyFile(process.execPath, node)
  const hub = await listenAsHub(data)
  const line = start(data, { node })
  const first = await hub.connection()
  first.welcome()
  await rm(node)
  await Promise.all([hub.close(), first.goodbye('ending')])
  line.request(1, 'ping')
  const sentence = 'The hub cannot be started (ENOENT); run parley serve with the same --data yourself'
  const tries = watch(data)
  await line.told(/cannot be started/)
  for (let changes = 0; changes < 8; changes++) await tries.next()
  const served = await listenAsHub(data)
  const second = await served.connection()
  second.welcome({ url: 'http://localhost:4118' })
  expect((await second.next()).mcp.id).toBe(1)
  expect(await line.told(/4118/)).toBe(`http://localhost:4117\n${sentence}\nhttp://localhost:4118\n`)
})

test('[C75] a folder that another process has is waited for', async () => {
  const data = await scripted({ failed: { code: 'data_in_use', text: 'Another one has it' } })
  const line = start(data)
  line.request(1, 'initialize')
  await until(() => startsIn(data).length > 0)
  const hub = await listenAsHub(data)
  const end = await hub.connection()
  end.answer((await end.next()).mcp.id)
  expect(await line.next()).toMatchObject({ id: 1 })
})

test('[C75] a folder that another process lets go is taken', async () => {
  const data = await scripted({})
  await writeFile(join(data, 'lock'), String(process.pid))
  const line = start(data)
  line.request(1, 'initialize')
  await until(() => startsIn(data).length > 0)
  await rm(join(data, 'lock'))
  expect((await line.next()).result.pid).toBe(startsIn(data).at(-1)?.pid)
})

test('[C79] a hub that is killed is replaced at once, and what waits goes on', async () => {
  const data = await freshFolder()
  const line = start(data)
  line.request(1, 'initialize')
  const { result: first } = await line.next()
  line.request(2, 'wait')
  line.request(3, 'ping')
  await line.next()
  process.kill(first.pid, 'SIGKILL')
  line.request(4, 'ping')
  const { id, result: second } = await line.next()
  expect(id).toBe(4)
  expect(second.pid).not.toBe(first.pid)
  expect(startsIn(data)).toHaveLength(2)
})

test('[C79] who is let go to make way for a newer one lets that one start, and starts one itself when none comes', async () => {
  const data = await scripted({})
  const hub = await listenAsHub(data)
  const line = start(data)
  line.request(1, 'ping')
  const old = await hub.connection()
  old.welcome()
  await Promise.all([hub.close(), old.goodbye('handing_over')])
  // There is no hub, and it turns so often that the line would have started one by then.
  for (let turn = 0; turn < 5; turn++) {
    line.write('no message\n')
    expect(await line.next()).toHaveProperty('error')
  }
  const newer = await listenAsHub(data)
  const end = await newer.connection()
  expect((await end.next()).mcp.id).toBe(1)
  expect(startsIn(data)).toEqual([])
  end.welcome()
  await Promise.all([newer.close(), end.goodbye('handing_over')])
  expect((await line.next()).result.pid).toBe(startsIn(data)[0]?.pid)
})

test('[C79] the newer line to which a hub hands over starts the next', async () => {
  const data = await scripted({})
  const hub = await listenAsHub(data)
  const older = start(data, { args: ['--max-rate', '1'] })
  older.request(1, 'ping')
  const old = await hub.connection()
  old.welcome()
  const newer = start(data, { args: ['--max-rate', '2'] })
  newer.request(1, 'ping')
  const fresh = await hub.connection()
  await Promise.all([hub.close(), old.goodbye('handing_over'), fresh.goodbye('handing_over')])
  const answers = await Promise.all([older.next(), newer.next()])
  expect(answers.map(({ result }) => result.asked.given['max-rate'])).toEqual(['2', '2'])
})

test('[C78] with --data memory the hub is its own, and ends with it', async () => {
  const line = start('memory')
  line.request(1, 'initialize')
  const { result } = await line.next()
  expect(result.asked.data).toBe('memory')
  line.child.stdin.end()
  // The line ends only when its stderr is closed, which the hub has too.
  expect((await line.ended).code).toBe(0)
})

test('[C78] a hub of its own that cannot start is told, too', async () => {
  const line = start('memory', { env: { SCRIPT: '{"failed":{"code":"port_taken","text":"No port"}}' } })
  line.request(1, 'initialize')
  const { code, heard } = await line.ended
  expect([code, heard]).toMatchObject([1, [{ id: 1, error: { message: 'No port' } }]])
})
