import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, told } from '../support/page.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'

test('[G135] a tool that kills its hub is recorded each time that it ran', { timeout: 120_000 }, async () => {
  const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
  const diary = join(folder, 'diary')
  const mcpServers = { diary: diaryAt(diary) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [{ decision: 'allow' }] }))
  const { client, url } = await agentOverStdio({ args: ['stdio', '--surface', 'gateway', '--data', data], env: {} })
  const page = openPage((await url) ?? '')
  await page.started
  const texts = ['one', 'two', 'three', 'four', 'five']
  for (const text of texts) {
    const { isError } = await client.callTool({ name: 'diary_write', arguments: { text, kill: hubOf(data).pid } })
    expect(isError).toBe(true)
  }
  expect(readDiary(diary).map((line) => JSON.parse(line).text)).toEqual(texts)
  await page.until(() => told(page, 'tool_result').length === texts.length)
  expect(told(page, 'tool_call').map(({ tool_args }) => JSON.parse(tool_args).text)).toEqual(texts)
})
