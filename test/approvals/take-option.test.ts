import { expect, test } from 'vitest'
import { ask } from '../support/chat.ts'
import { startHub } from '../support/hub.ts'
import { connect, connectPage } from '../support/socket.ts'

const approval = {
  tool_name: 'Bash',
  input: '{"command":"ls"}',
  options: [
    { id: 'once', label: 'Run it', kind: 'allow_once' as const },
    { id: 'always', label: 'Always run it', kind: 'allow_always' as const },
    { id: 'no', label: 'Do not', kind: 'reject_once' as const },
  ],
}

test('[A36] [A37] a page takes one of the options by its id, and what is none of them is refused', async () => {
  const { url, view } = await startHub()
  const question = await ask(view, { by: 'agent', text: 'Allow Bash?', approval })
  const page = await connectPage(url)
  expect(page.welcome).toMatchObject({ conversations: [{ open: [{ id: question, approval }] }] })
  const take = { type: 'take_option', key: 'k1', question }
  page.say({ ...take, option: 'maybe' })
  expect(await page.next('refused')).toMatchObject({ key: 'k1', code: 'unknown_choice' })
  page.say({ type: 'allow', key: 'k2', question })
  expect(await page.next('refused')).toMatchObject({ key: 'k2', code: 'option_wanted' })
  page.say({ ...take, option: 'always' })
  expect(await page.next('entries')).toMatchObject({
    entries: [{ key: 'k1', body: { kind: 'settlement', outcome: 'approved', option: 'always' } }],
  })
})

test('[A39] clients that know text alone are offered the labels, none of which allows for more than once', async () => {
  const { url, view } = await startHub()
  const ack_id = await ask(view, { by: 'agent', text: 'Allow Bash?', approval })
  const bridge = await connect(url, '/ws?dialect=bridge')
  expect(await bridge.next('connected')).toMatchObject({
    history: [{ ack_id, quick_replies: ['Run it', 'Do not'] }],
    pendingAckId: ack_id,
  })
  bridge.say({ type: 'ack', id: ack_id, message: 'Run it' })
  await expect
    .poll(async () => (await view.page('work', { limit: 1 })).entries[0]?.body)
    .toMatchObject({ option: 'once' })
})
