import { expect, test } from 'vitest'
import { CLIENTS } from '../../src/cli/connect/clients.ts'
import { openHome } from '../support/cli/home-with-agents.ts'

const ZED = '.config/zed/settings.json'
const CONTINUE = '.continue/permissions.yaml'

test('[C225] Zed and Continue allow the tools one by one, and what was there stays', async () => {
  const { read, write, isThere, connect } = await openHome([])
  const zed = '{\n  // mine\n  "agent": {\n    "tool_permissions": {\n      "default": "confirm"\n    }\n  }\n}\n'
  const rules = '# mine\nallow:\n  - Read # files\n  - ask_user\nask:\n  - "*"\n'
  write(ZED, zed)
  write(CONTINUE, rules)
  expect(await connect(['zed', 'continue', '--allow'])).toMatchObject({ code: 0, stderr: '' })
  expect(read(ZED)).toContain('"mcp:parley:send_message": {')
  expect(read(CONTINUE)).toContain('  - Read # files\n  - ask_user\n  - send_message\n')
  const again = await connect(['zed', 'continue', '--allow'])
  expect(again.stdout.match(/is connected already/g)).toHaveLength(2)
  await connect(['zed', 'continue', '--remove'])
  expect(read(ZED)).toBe(zed)
  expect(read(CONTINUE)).toBe(rules)
  write(CONTINUE, 'allow: []\n')
  await connect(['continue', '--allow'])
  write(CONTINUE, `${read(CONTINUE)}exclude:\n  - Bash\n`)
  await connect(['continue', '--remove'])
  expect(read(CONTINUE)).toBe('allow: []\nexclude:\n  - Bash\n')
  expect(isThere(`${CONTINUE}.by-parley`)).toBe(false)
})

test('[C225] where it cannot be allowed, one sentence says so', async () => {
  const { connect } = await openHome(['kimi', 'gemini'])
  const sentence = '  Kimi Code cannot allow the tools of one server, and goes on asking\n'
  expect((await connect(['--allow'])).stdout).toContain(sentence)
  expect((await connect()).stdout).not.toContain(sentence)
  const none = CLIENTS.filter(({ allow }) => 'none' in allow).map(({ name }) => name)
  expect(none).toEqual(['kimi', 'pi', 'pi-0', 'amp', 'droid', 'goose', 'cursor', 'vscode', 'claude-desktop'])
})
