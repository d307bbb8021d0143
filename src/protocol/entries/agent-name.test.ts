import { expect, test } from 'vitest'
import { humanName } from './agent-name.ts'

test.each([
  ['claude-code', 'Claude Code'],
  ['@zed-industries/claude-code-acp', 'Claude Code'],
  ['@agentclientprotocol/claude-agent-acp', 'Claude Code'],
  ['codex-mcp-client', 'Codex'],
  ['codex-acp', 'Codex'],
  ['gemini-cli-mcp-client', 'Gemini CLI'],
  ['gemini-cli', 'Gemini CLI'],
  ['qwen-cli-mcp-client-parley', 'Qwen Code'],
  ['qwen-code', 'Qwen Code'],
  ['opencode', 'opencode'],
  ['OpenCode', 'opencode'],
  ['copilot-cli', 'Copilot'],
  ['kimi-code', 'Kimi Code'],
  ['Kimi Code CLI', 'Kimi Code CLI'],
  ['Cline', 'Cline'],
  ['@cline/core', 'Cline'],
  ['cursor-vscode', 'Cursor'],
  ['windsurf-client', 'Windsurf'],
  ['continue-cli-client', 'Continue'],
  ['pi-mcp-adapter', 'pi'],
  ['goose', 'Goose'],
  ['my_own-agent', 'My Own Agent'],
  ['агент-один', 'Агент Один'],
  ['mcp-client', 'Mcp'],
  ['-', '-'],
])('[U178] the agent that calls itself %s is %s', (by, name) => {
  expect(humanName(by)).toBe(name)
})

test('[U178] a long name is cut, and never within a character', () => {
  expect(humanName(`${'x'.repeat(38)}😀😀😀`)).toBe(`X${'x'.repeat(37)}😀…`)
  expect(humanName(`${'x'.repeat(39)}😀😀😀`)).toBe(`X${'x'.repeat(38)}\ufffd…`)
})
