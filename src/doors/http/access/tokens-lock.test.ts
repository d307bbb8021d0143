import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHub, temporaryFolder } from '../../../../test/support/hub.ts'
import { startParley } from '../../../../test/support/process.ts'
import { lockFile } from '../../../files/file-lock.ts'
import { fileShelf } from './file-shelf.ts'
import { createTokens } from './tokens.ts'

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

const open = (path: string) => createTokens({ shelf: fileShelf(path), given: [] })

const press = (link: string) => fetch(link, { method: 'POST', redirect: 'manual' })

function run(script: string, path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A process that is in the middle of a change, until it is told to go on or ends. */
async function changing(path: string): Promise<ChildProcess> {
  const script = `
    import { readSync, writeSync } from 'node:fs'
    import { fileShelf } from ${here('file-shelf.ts')}
    await fileShelf(process.argv[1]).change((entries) => {
      writeSync(1, 'changing')
      readSync(0, Buffer.alloc(1))
      return entries
    })`
  const child = run(script, path)
  await once(child.stdout, 'data')
  return child
}

async function hubWithLink() {
  const data = await temporaryFolder()
  const { url, tokens } = await startHub(data)
  await tokens.create({ name: 'ada' })
  return { url, path: join(data, 'tokens.json'), link: `${url}/sign-in/${await tokens.link('ada')}` }
}

test('[S22] a sign-in waits for a living process that changes the tokens, and nobody else waits', async () => {
  const { url, path, link } = await hubWithLink()
  const other = await changing(path)
  const answered: string[] = []
  const signedIn = press(link).then(({ status }) => answered.push(`sign-in ${status}`))
  for (let n = 0; n < 20; n++) answered.push(`health ${(await fetch(`${url}/healthz`)).status}`)
  expect(answered).toEqual(Array(20).fill('health 200'))
  other.stdin?.write('.')
  await signedIn
  expect(answered.at(-1)).toBe('sign-in 200')
})

test('[S22] what a killed process left half-written is waited for by nobody, however fresh it is', async () => {
  const data = await temporaryFolder()
  const url = await startParley(['serve', '--port', '0'], { PARLEY_DATA: data }).url
  const path = join(data, 'tokens.json')
  const tokens = open(path)
  await tokens.create({ name: 'ada' })
  const link = `${url}/sign-in/${await tokens.link('ada')}`
  await writeFile(`${path}.new`, '[{"ki')
  const future = Date.now() / 1000 + 24 * 60 * 60
  await utimes(`${path}.new`, future, future)
  expect((await press(link)).status).toBe(200)
})

test('[S22] a process that is killed in the middle of a change is waited for no longer, and changed nothing', async () => {
  const { path, link } = await hubWithLink()
  const other = await changing(path)
  const signedIn = press(link)
  other.kill('SIGKILL')
  expect((await signedIn).status).toBe(200)
  expect(
    open(path)
      .list()
      .map(({ name }) => name),
  ).toEqual(['ada'])
})

test('[S16] what was acknowledged is kept, whoever else changes the file and is killed meanwhile', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const script = (name: string) => `
    import { writeSync } from 'node:fs'
    import { fileShelf } from ${here('file-shelf.ts')}
    import { createTokens } from ${here('tokens.ts')}
    const tokens = createTokens({ shelf: fileShelf(process.argv[1]), given: [] })
    for (let n = 0; n < 40; n++) {
      await tokens.create({ name: '${name} ' + n })
      writeSync(1, '${name} ' + n + ';')
    }`
  const said: string[] = []
  const writers = ['a', 'b', 'c', 'd'].map((name) => run(script(name), path))
  const ended = writers.map(async (writer, place) => {
    let text = ''
    writer.stdout.on('data', (chunk) => {
      text += chunk
      if (place % 2 === 0 && text.split(';').length > 5 * (place + 1)) writer.kill('SIGKILL')
    })
    await once(writer, 'close')
    said.push(...text.split(';').slice(0, -1))
  })
  await Promise.all(ended)
  const kept = open(path).list()
  expect(kept.map(({ name }) => name)).toEqual(expect.arrayContaining(said))
  expect(said.length).toBeGreaterThanOrEqual(80)
})

test('[S22] whoever waits too long for a frozen process is told which file it holds', async () => {
  const path = join(await temporaryFolder(), 'tokens.json.lock')
  const held = await lockFile(path, 0)
  const sentence = `Another process is changing the tokens and does not finish: it holds ${path}`
  await expect(lockFile(path, 0)).rejects.toThrow(sentence)
  held.release()
  const again = await lockFile(path, 0)
  again.release()
})

test('[S16] tokens that cannot be written are told so in one sentence, and nothing changes', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'tokens.json')
  const tokens = open(path)
  await tokens.create({ name: 'ada' })
  await rm(`${path}.lock`)
  await mkdir(`${path}.lock`)
  await expect(tokens.create({ name: 'bob' })).rejects.toMatchObject({
    code: 'data_unwritable',
    message: expect.stringContaining(`${path} cannot be written (`),
  })
  await expect(open(join(path, 'tokens.json')).create({ name: 'bob' })).rejects.toThrow('cannot be written (')
  expect(tokens.list().map(({ name }) => name)).toEqual(['ada'])
})
