import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { logFile } from '../../src/log/file-name.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'

const draft = (text: string, at: number) => ({ text, target: { kind: 'message' }, at })

test('[Q45] what a page was told is kept survives a killed hub', async () => {
  const data = await temporaryFolder()
  const serve = () => startParley(['serve', '--data', data, '--port', '0'])
  const first = serve()
  const page = await connectPage(await first.url)
  page.say({ type: 'post', key: 'p', conversation: 'work', text: 'Hello' })
  const { id } = await page.next('accepted')
  const kept = { pinned: true, archived: true, muted: true, read: id, draft: draft('Half a', 7) }
  page.say({ type: 'mark', key: 'm', changes: { work: kept } })
  page.say({ type: 'save_reply', key: 'r', name: 'yes', text: 'Yes' })
  await page.next('marks')
  await page.next('replies')
  first.child.kill('SIGKILL')
  await first.ended
  const { welcome } = await connectPage(await serve().url)
  expect(welcome.desk).toMatchObject({ marks: { work: kept }, replies: [{ name: 'yes', text: 'Yes' }] })
})

test('[Q45] a draft takes the same room however often it changes, and is in no conversation', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  const { id } = await hub.view.say('work', { text: 'Hello' })
  const page = await connectPage(hub.url)
  for (let n = 1; n <= 200; n++) {
    page.say({ type: 'mark', key: `${n}`, changes: { work: { draft: draft(`Secret ${n}`, n) } } })
    await page.next('marks')
  }
  expect(await hub.view.last()).toBe(id)
  await hub.close()
  const db = new DatabaseSync(logFile(data))
  const rows = db.prepare("SELECT value FROM note WHERE value LIKE '%Secret%'").all()
  const entries = db.prepare("SELECT 1 FROM entry WHERE body LIKE '%Secret%'").all()
  db.close()
  expect([rows.length, entries.length]).toEqual([1, 0])
  expect(JSON.parse(String(rows[0]?.value)).draft.text).toBe('Secret 200')
})
