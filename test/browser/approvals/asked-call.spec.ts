import type { Approval } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { connectOrchestrator } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

const CALL = { tool_name: 'edit', title: 'Edit `src/app.ts`', call_id: 'call-1' }
const APPROVAL: Approval = {
  ...CALL,
  input: '{"path":"src/app.ts"}',
  options: [
    { id: 'yes', label: 'Allow', kind: 'allow_once' },
    { id: 'no', label: 'Deny', kind: 'reject_once' },
  ],
  changes: [{ path: 'src/app.ts', old_text: 'const port = 1', new_text: 'const port = 2' }],
}

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, touch: true, dark: true },
  ],
  1,
)) {
  test(`[U205] [U206] [U441] an approval is headed by the agent’s title, and it and its call are one line (${look.width})`, async ({
    hub,
    visit,
  }) => {
    await hub.say('work', ['Change the port'])
    const orchestrator = await connectOrchestrator(hub.url)
    const agent = await orchestrator.drive('work')
    await agent.show({ state: 'working', turn_at: Date.now() })
    const { tool_name, title, call_id } = CALL
    await agent.event('tool_call', { tool_name, title, call_id, tool_args: APPROVAL.input })
    const chat = await visit('/', look)
    const call = chat.timeline.locator('details').filter({ hasText: 'Edit src/app.ts' })
    const named = chat.timeline.getByText('Edit src/app.ts', { exact: true })
    await expect(call).toContainText('running')
    await agent.ask('q', 'Edit `src/app.ts`', APPROVAL)
    await expect(chat.bubble('Edit src/app.ts')).toContainText('Waiting for you')
    await expect(call).toHaveCount(0)
    await expect(named).toHaveCount(1)
    await expect(chat.dock).toContainText('Claude Code wants: Edit src/app.ts edit')
    await expect(chat.dock).toContainText('const port = 2')
    await expect(chat.dock.locator('[data-line]').first()).toHaveAttribute('data-line', '')
    await expect(chat.timeline.getByRole('article').filter({ hasText: 'Claude' }).last()).toContainText(
      'Edit src/app.ts',
    )
    expect(await violations(chat.page)).toEqual([])
    await chat.dock.getByRole('button', { name: 'Allow' }).click()
    await chat.sendNow()
    await expect.poll(agent.settled).toEqual(['yes'])
    await expect(call).toContainText(/Edit src\/app.ts.*\+1 −1.*Allowed by you: “Allow”.*running/s)
    await expect(named).toHaveCount(1)
    expect((await chat.bubble('Edit src/app.ts').boundingBox())?.height).toBeLessThan(look.touch ? 64 : 56)
    await agent.event('tool_result', { tool_name, call_id, result: 'Written to the disk', success: true })
    await expect(call).toContainText('done')
    await expect(named).toHaveCount(1)
    await call.locator('summary').click()
    await expect(call).toContainText('const port = 2')
    await expect(call).toContainText('Written to the disk')
    await expect(chat.timeline.getByText('Written to the disk')).toHaveCount(1)
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await orchestrator.close()
  })
}
