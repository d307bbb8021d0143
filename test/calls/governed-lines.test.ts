import { watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'
import { untilTool } from '../support/upstream/gateway.ts'

test.each(erasOf('legacy'))(
  '[G72] a call of a line (%s) whose hub is killed while it runs is in doubt, and does not run again',
  async (era) => {
    const { data, diary, client } = await startLine(era)
    const written = lineIn(diary)
    const call = client.callTool({ name: 'diary_write', arguments: { text: 'one', hold: true } })
    await written
    process.kill(hubOf(data).pid, 'SIGKILL')
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('ran is unknown') }],
    })
    expect(readDiary(diary)).toHaveLength(1)
    await untilTool(client, 'diary_write')
    const again = await client.callTool({ name: 'diary_write', arguments: { text: 'two' } })
    expect(again).toMatchObject({ content: [{ text: 'Wrote two' }] })
    expect(readDiary(diary)).toHaveLength(2)
  },
)

/** An agent over a line, in a folder where everything is allowed. */
async function startLine(era: 'legacy' | 'modern') {
  const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
  const diary = join(folder, 'diary')
  const mcpServers = { diary: diaryAt(diary) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [{ decision: 'allow' }] }))
  const args = ['stdio', '--surface', 'gateway', '--data', data]
  const { client } = await agentOverStdio({ era, args, env: {} })
  await untilTool(client, 'diary_write')
  return { data, diary, client }
}

function lineIn(diary: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(diary), look)
    look()

    function look() {
      if (readDiary(diary).length === 0) return
      watcher.close()
      resolve()
    }
  })
}
