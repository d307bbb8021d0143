import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditPath, openAuditFile } from '../../src/governance/audit/audit-file.ts'
import { ask } from '../support/chat.ts'
import { openTestHub, startHub, temporaryFolder, viewOf } from '../support/hub.ts'
import {
  changeLines,
  changeLog,
  decidedCalls,
  forgetHead,
  linesOf,
  mountedCalls,
  verified,
} from '../support/policy/audited.ts'

/** A folder with a few calls, of a hub that has ended. */
async function folderWithCalls() {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub)
  await mountedCalls(hub)
  await hub.close()
  return data
}

const KINDS = [
  'question',
  'settlement',
  'question',
  'settlement',
  'tool_call',
  'tool_result',
  'tool_call',
  'tool_result',
]

test('[G85] every call and every decision about one is a link, and nothing of what they say', async () => {
  const data = await folderWithCalls()
  expect(linesOf(data).map(({ kind }) => kind)).toEqual(KINDS)
  expect(readFileSync(auditPath(data), 'utf8')).not.toMatch(/Bash|codex|files|work|Not/)
  if (process.platform !== 'win32') expect(statSync(auditPath(data)).mode & 0o777).toBe(0o600)
  expect(await verified(data)).toMatchObject({ links: 8, problems: [], pending: 0, forgotten: 0 })
})

test('[G85] a tool that is always allowed, and no longer, is in the chain', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  const approval = { tool_name: 'Bash', input: '{}' }
  await hub.view.allowAlways(await ask(hub.view, { by: 'codex', text: 'Allow?', approval }), undefined)
  await ask(hub.view, { by: 'codex', text: 'Allow?', approval })
  await hub.view.revoke('work', 'Bash')
  await hub.close()
  expect(linesOf(data).map(({ kind }) => kind)).toEqual(['question', 'settlement', 'permitted_call', 'revocation'])
})

test('[G85] a hub that keeps nothing has no chain, and one without calls writes none', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await hub.view.say('work', { text: 'Hello' })
  await hub.close()
  expect(existsSync(auditPath(data))).toBe(false)
  const forgetful = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory' })
  await decidedCalls({ ...forgetful, view: viewOf(forgetful) })
  await forgetful.close()
})

test('[G86] what a hub could not link before it ended, the next one does, and nothing twice', async () => {
  const data = await folderWithCalls()
  const whole = linesOf(data).map(({ id }) => id)
  forgetHead(data)
  changeLines(data, (lines) => lines.slice(0, 3))
  appendFileSync(auditPath(data), `{"n":4,"forgotten":["${'0'.repeat(16)}${',"0"'.repeat(5000)}`)
  expect(await verified(data)).toMatchObject({ links: 3, pending: 5, problems: [] })
  const hub = await startHub(data)
  await mountedCalls(hub, 'more')
  await hub.close()
  const ids = linesOf(data).map(({ id }) => id)
  expect(ids.slice(0, 8)).toEqual(whole)
  expect(new Set(ids).size).toBe(12)
  expect(await verified(data)).toMatchObject({ links: 12, problems: [], pending: 0 })
})

test('[G86] a start reads only the end of the chain, and of the log only what came after it', async () => {
  const data = await folderWithCalls()
  const many = await startHub(data)
  for (let n = 0; n < 21; n++)
    await Promise.all(Array.from({ length: 100 }, () => many.view.say('talk', { text: 'x' })))
  await many.close()
  expect(linesOf(data).filter(({ seen }) => seen !== undefined).length).toBeGreaterThan(1)
  changeLines(data, ([, ...lines]) => ['x'.repeat(200_000), ...lines])
  const hub = await startHub(data)
  await mountedCalls(hub, 'more')
  await hub.close()
  const { problems } = await verified(data)
  expect(problems).toEqual([
    { problem: 'unreadable', link: 1 },
    { problem: 'broken', link: 2 },
    { problem: 'unlinked', entry: expect.any(String), kind: 'question' },
  ])
})

test('[G86] a chain that is damaged at its end is left as it is, and the hub works on', async () => {
  const data = await folderWithCalls()
  changeLines(data, (lines) => [...lines, 'no link'])
  const before = readFileSync(auditPath(data), 'utf8')
  const told: string[] = []
  const log = {
    level: 'error',
    content: false,
    out: { writableLength: 0, write: (text: string) => told.push(text) },
  } as const
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data, log })
  const view = viewOf(hub)
  await decidedCalls({ ...hub, view })
  await view.forget('work')
  await hub.close()
  expect(told.join('')).toContain('audit.jsonl is damaged at its end; see parley audit verify')
  await expect(openAuditFile(auditPath(data))).rejects.toMatchObject({ code: 'data_corrupt' })
  expect(readFileSync(auditPath(data), 'utf8')).toBe(before)
})

test('[G87] a call that was changed, taken out or put in is found, with its place', async () => {
  const data = await folderWithCalls()
  const [, , question, , call, result] = linesOf(data)
  changeLog(
    data,
    `UPDATE entry SET body = replace(body, 'path', 'past') WHERE id = ${Number(call.id)};
     UPDATE entry SET body = replace(body, 'Allow?', 'Allow!') WHERE id = ${Number(question.id)};
     DELETE FROM entry WHERE id = ${Number(result.id)}`,
  )
  expect((await verified(data)).problems).toEqual([
    { problem: 'changed', link: 3, entry: question.id, kind: 'question' },
    { problem: 'changed', link: 5, entry: call.id, kind: 'tool_call' },
    { problem: 'missing', link: 6, entry: result.id, kind: 'tool_result' },
  ])
})

test('[G87] a link that was changed or taken out is found, with its place', async () => {
  const data = await folderWithCalls()
  const [, , third, , , sixth] = linesOf(data)
  const { head } = await verified(data)
  changeLines(data, (lines) => lines.filter((_, n) => n !== 2))
  expect((await verified(data)).problems).toEqual([
    { problem: 'broken', link: 3 },
    { problem: 'unlinked', entry: third.id, kind: 'question' },
  ])
  changeLines(data, (lines) => lines.map((line, n) => (n === 4 ? line.replace(/"at":\d/, '"at":9') : line)))
  expect((await verified(data, head)).problems).toMatchObject([
    { problem: 'broken', link: 3 },
    { problem: 'broken', link: 5 },
    { problem: 'unlinked' },
  ])
  changeLines(data, (lines) => lines.map((line, n) => (n === 4 ? line.replace(/"salt":"./, '"salt":"g') : line)))
  expect((await verified(data)).problems).toContainEqual({ problem: 'unlinked', entry: sixth.id, kind: 'tool_result' })
})

test('[G87] an end that was cut off, of chain and log, is found by a head that was kept', async () => {
  const data = await folderWithCalls()
  const { head } = await verified(data)
  expect((await verified(data, head)).problems).toEqual([])
  const [, , , , , , ...end] = linesOf(data)
  changeLines(data, (lines) => lines.slice(0, 6))
  changeLog(data, `DELETE FROM entry WHERE id IN (${end.map(({ id }) => Number(id))})`)
  forgetHead(data)
  expect((await verified(data)).problems).toEqual([])
  expect((await verified(data, head)).problems).toEqual([{ problem: 'no_such_head' }])
})

test('[G192] an end that was cut off is found by the head in the log, and stays found when a hub goes on', async () => {
  const data = await folderWithCalls()
  changeLines(data, (lines) => lines.slice(0, 6))
  const cut = { problem: 'cut', link: 7, to: 8 }
  expect(await verified(data)).toMatchObject({ links: 6, pending: 2, problems: [cut] })
  for (const conversation of ['more', 'yet more']) {
    const hub = await startHub(data)
    await mountedCalls(hub, conversation)
    await hub.close()
    expect((await verified(data)).problems).toEqual([cut])
  }
  // What was linked anew, and what came since.
  expect(await verified(data)).toMatchObject({ links: 6 + 1 + 2 + 4 + 4, pending: 0 })
})

test('[G192] a chain that was taken away is found, also with the end of the log', async () => {
  const data = await folderWithCalls()
  const [, , , , , , ...end] = linesOf(data)
  rmSync(auditPath(data))
  changeLog(data, `DELETE FROM entry WHERE id IN (${end.map(({ id }) => Number(id))})`)
  const gone = { problem: 'cut', link: 1, to: 8 }
  expect(await verified(data)).toMatchObject({ links: 0, problems: [gone] })
  await (await startHub(data)).close()
  expect(await verified(data)).toMatchObject({ links: 7, pending: 0, problems: [gone] })
})

test('[G192] a chain in the place of the one that was written is found, however long it is', async () => {
  const data = await folderWithCalls()
  const short = linesOf(data).length
  const copy = await temporaryFolder()
  const other = await startHub(copy)
  await decidedCalls(other)
  await mountedCalls(other)
  await mountedCalls(other, 'more')
  await other.close()
  cpSync(auditPath(copy), auditPath(data))
  const replaced = { problem: 'replaced', link: short }
  expect((await verified(data)).problems).toContainEqual(replaced)
  await (await startHub(data)).close()
  expect((await verified(data)).problems).toContainEqual(replaced)
})

test('[G192] a link that the log does not know of yet is none too many', async () => {
  const data = await folderWithCalls()
  const sixth = linesOf(data)[5]
  const state = JSON.stringify({ n: sixth.n, chain: sixth.chain })
  changeLog(data, `UPDATE snapshot SET state = '${state}' WHERE name LIKE '%head of the audit chain'`)
  expect((await verified(data)).problems).toEqual([])
  await (await startHub(data)).close()
  expect(await verified(data)).toMatchObject({ links: 8, problems: [] })
})
