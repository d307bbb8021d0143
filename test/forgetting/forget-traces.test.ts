import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, executable } from '../support/agent.ts'
import { person } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connectPage } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const POLICY = `{
  "rules": [
    // Mine
    { "decision": "deny_abort", "tool": "drop", "conversation": "prod" },
    { "decision": "allow", "tool": "list" }
  ]
}
`
const WITHOUT = `{
  "rules": [
    // Mine
    { "decision": "allow", "tool": "list" }
  ]
}
`

async function hubWithRules(text = POLICY) {
  const data = await temporaryFolder()
  const path = join(data, 'policy.jsonc')
  writeFileSync(path, text)
  const hub = await startHub(data)
  await hub.view.say('prod', { text: 'Hello' })
  return { ...hub, data, path }
}

test('[F29] only an attachment keeps a file: a hash in words, in a name or in what a tool said does not', async () => {
  const data = await temporaryFolder()
  const { view, chat, url, close } = await startHub(data)
  const [gone, shared] = [await uploaded(url, 'gone'), await uploaded(url, 'shared')]
  await view.say('prod', { text: 'Look', attachments: [gone, shared] })
  await view.say('other', { text: `Remember ${gone.hash}`, attachments: [{ ...shared, name: gone.hash }] })
  await view.record('other', { kind: 'tool_result', by: 'agent', tool_name: 't', result: gone.hash, success: true })
  await view.forget('prod')
  await chat.erased()
  const place = ({ hash }: { hash: string }) => join(data, 'files', hash.slice(0, 2), hash)
  expect([existsSync(place(gone)), existsSync(place(shared))]).toEqual([false, true])
  await view.forget('other')
  await chat.erased()
  expect(existsSync(place(shared))).toBe(false)
  await close()
  const everything = readdirSync(data, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())
  for (const { parentPath, name } of everything) {
    const content = readFileSync(join(parentPath, name), 'latin1')
    for (const { hash } of [gone, shared]) expect(content.includes(hash), name).toBe(false)
  }
})

test('[S150] rules that name a forgotten conversation go with it, and the audit says so without its name', async () => {
  const { view, chat, data, path, policy } = await hubWithRules()
  await view.forget('prod')
  await chat.erased()
  expect(readFileSync(path, 'utf8')).toBe(WITHOUT)
  expect(policy.rules().map(({ tool }) => tool)).toEqual([['list']])
  const audit = readFileSync(join(data, 'audit.jsonl'), 'utf8')
  expect(audit).toContain('rule forgotten')
  expect(audit).not.toContain('prod')
})

test('[S150] who may not change rules is told that they name it; an administrator takes them out', async () => {
  const { chat, view, path } = await hubWithRules()
  const refusal = {
    code: 'rules_left',
    message: expect.stringContaining('names it, and only administrators change rules'),
  }
  await expect(person(chat, 'ada').forget('prod')).rejects.toMatchObject(refusal)
  expect((await view.conversations({ limit: 9 })).map(({ id }) => id)).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe(POLICY)
  await view.say('prod', { text: 'Again' })
  await view.forget('prod')
  expect(readFileSync(path, 'utf8')).toBe(WITHOUT)
})

test('[S150] where the rules cannot be changed the conversation is gone, and the page is told why', async () => {
  const { url, view, path } = await hubWithRules(`${POLICY}{`)
  const page = await connectPage(url)
  page.say({ type: 'forget', key: 'k', conversation: 'prod', up_to: await view.last() })
  expect(await page.next('refused')).toMatchObject({
    key: 'k',
    code: 'rules_left',
    error: expect.stringContaining(`It is forgotten, but rules may still name it: ${path}:`),
  })
  expect(await view.conversations({ limit: 9 })).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe(`${POLICY}{`)
})

test('[S150] so it is where the file cannot be written', async () => {
  const { view, path } = await hubWithRules()
  mkdirSync(`${path}.new`)
  await expect(view.forget('prod')).rejects.toMatchObject({ code: 'rules_left' })
  expect(readFileSync(path, 'utf8')).toBe(POLICY)
})

test('[S150] the command takes rules out in a folder without a hub', async () => {
  const { close, data, path } = await hubWithRules()
  await close()
  const child = spawn(process.execPath, [executable, 'forget', 'prod', '--yes', '--data', data], { env: environment() })
  const [code] = await once(child, 'exit')
  expect([code, readFileSync(path, 'utf8')]).toEqual([0, WITHOUT])
})

test('[S179] what the next hub begins with does not name a forgotten conversation', async () => {
  const data = await temporaryFolder()
  const { view, chat, close } = await startHub(data)
  await view.say('zebrafish', { text: 'Nobody answers here' })
  await view.say('kept', { text: 'Nor here' })
  await view.forget('zebrafish')
  await chat.erased()
  await close()
  const files = readdirSync(data).filter((name) => name.startsWith('parley.db'))
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(data, name))))
  expect([bytes.includes('kept'), bytes.includes('zebrafish')]).toEqual([true, false])
})

test('[S245] a conversation that people keep at hand is in none of their lists once it is forgotten', async () => {
  const data = await temporaryFolder()
  const { view, chat, url, close } = await startHub(data)
  await view.say('zebrafish', { text: 'Hello' })
  await view.say('kept', { text: 'Hello' })
  const page = await connectPage(url)
  page.say({ type: 'mark', key: 'm', changes: { zebrafish: { pinned: true }, kept: { pinned: true } } })
  await page.next('marks')
  page.ws.close()
  await page.closed
  await view.forget('zebrafish')
  await chat.erased()
  await close()
  const files = readdirSync(data).filter((name) => name.startsWith('parley.db'))
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(data, name))))
  expect([bytes.includes('kept'), bytes.includes('zebrafish')]).toEqual([true, false])
})
