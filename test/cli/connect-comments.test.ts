import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../support/cli/home-with-agents.ts'

/** Files in which a place is empty but for what somebody said there. */
const FILES = {
  '.gemini/settings.json': '{\n  "a": 1,\n  "mcpServers": {\n    // mine\n  }\n}\n',
  '.codex/config.toml': 'a = 1\n[mcp_servers] # mine\n',
  '.continue/config.yaml': 'fold: >-\n  a\nmcpServers:\n  # mine\nname: x\n',
  '.continue/permissions.yaml': 'allow: [] # mine\nask:\n  - b\n',
}

test('[C272] what somebody said in a place that is empty without Parley stays, also without the copy', async () => {
  const { home, write, read, connect } = await openHome(['gemini', 'codex', 'continue'])
  for (const [file, text] of Object.entries(FILES)) write(file, text)
  expect(await connect(['--allow'])).toMatchObject({ code: 0, stderr: '' })
  for (const file of Object.keys(FILES)) {
    expect(read(file), file).toMatch(/(?:#|\/\/) mine/)
    rmSync(join(home, `${file}.before-parley`))
  }
  expect(await connect(['--remove'])).toMatchObject({ code: 0, stderr: '' })
  const { '.continue/config.yaml': config, ...same } = FILES
  for (const [file, text] of Object.entries(same)) expect(read(file)).toBe(text)
  // A comment that is indented more than the next name would be part of the text before it.
  expect(read('.continue/config.yaml')).toBe(config.replace('mcpServers:', 'mcpServers: []'))
})

test('[C272] nor does a name that is a list warn anybody of anything', async () => {
  const { write, read, connect } = await openHome(['continue'])
  const text = '? [a, b]\n: 1\n'
  write('.continue/config.yaml', text)
  for (const words of [[], ['--remove']]) expect(await connect(words)).toMatchObject({ code: 0, stderr: '' })
  expect(read('.continue/config.yaml')).toBe(text)
})
