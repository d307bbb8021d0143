import { join } from 'node:path'
import type { Client } from './client.ts'
import { EDITORS } from './editors.ts'
import { here, home, movedBy, projectOf } from './places.ts'
import { type HttpEntry, NAME, type StdioEntry } from './server-entry.ts'

const DAY_SECONDS = 86_400
const DAY_MS = DAY_SECONDS * 1000
const SERVERS = ['mcpServers', NAME]
/** What agents call, of the surfaces that are for them. */
export const AGENT_TOOLS = ['send_message', 'ask_user', 'send_progress', 'set_title', 'check_messages']

/** Read by several clients, each of which knows its own fields of it. */
const SHARED = {
  project: here('.mcp.json'),
  inProject: {
    stdio: (entry: StdioEntry) => ({ type: 'stdio', ...entry, tools: ['*'], directTools: true }),
    http: (entry: HttpEntry) => ({ type: 'http', ...entry, tools: ['*'], directTools: true }),
    limit: { timeout: DAY_MS, requestTimeoutMs: DAY_MS },
  },
}
const AGENTS_MD = { file: here('AGENTS.md') }

/** Everything that is known of the clients. Facts about one more are one more row. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    programs: ['claude'],
    format: 'json',
    at: SERVERS,
    command: {
      reads: ({ env, home }) => join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
      add: (entry) => ['claude', 'mcp', 'add-json', '-s', 'user', NAME, entry],
      remove: ['claude', 'mcp', 'remove', '-s', 'user', NAME],
    },
    ...SHARED,
    stdio: (entry) => ({ type: 'stdio', ...entry }),
    http: (entry) => ({ type: 'http', ...entry }),
    limit: { timeout: DAY_MS },
    allow: {
      file: movedBy('CLAUDE_CONFIG_DIR', ['.claude'], 'settings.json'),
      list: () => ['permissions', 'allow'],
      item: `mcp__${NAME}`,
    },
    instructions: {
      user: { file: movedBy('CLAUDE_CONFIG_DIR', ['.claude'], 'rules', 'parley.md') },
      project: { file: here('CLAUDE.md') },
    },
    left: 'In a project, Claude Code asks once whether it may use .mcp.json',
  },
  {
    name: 'codex',
    title: 'Codex',
    programs: ['codex'],
    format: 'toml',
    at: ['mcp_servers', NAME],
    user: movedBy('CODEX_HOME', ['.codex'], 'config.toml'),
    project: here('.codex', 'config.toml'),
    stdio: (entry) => entry,
    http: ({ url, headers }) => ({ url, ...(headers && { http_headers: headers }) }),
    limit: { tool_timeout_sec: DAY_SECONDS },
    allow: { entry: { default_tools_approval_mode: 'approve' } },
    instructions: { user: { file: movedBy('CODEX_HOME', ['.codex'], 'AGENTS.md') }, project: AGENTS_MD },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    programs: ['gemini'],
    format: 'jsonc',
    at: SERVERS,
    user: ({ env, home }) => join(env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json'),
    project: here('.gemini', 'settings.json'),
    stdio: (entry) => entry,
    http: ({ url, headers }) => ({ httpUrl: url, ...(headers && { headers }) }),
    limit: { timeout: DAY_MS },
    allow: { entry: { trust: true } },
    instructions: { user: { file: home('.gemini', 'GEMINI.md') }, project: { file: here('GEMINI.md') } },
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    programs: ['qwen'],
    format: 'jsonc',
    at: SERVERS,
    user: movedBy('QWEN_HOME', ['.qwen'], 'settings.json'),
    project: here('.qwen', 'settings.json'),
    // Otherwise its model is told only that there is such a tool, beside one of its own that is called send_message.
    stdio: (entry) => ({ ...entry, alwaysLoadTools: true }),
    http: ({ url, headers }) => ({ httpUrl: url, ...(headers && { headers }), alwaysLoadTools: true }),
    limit: { timeout: DAY_MS },
    allow: { entry: { trust: true } },
    instructions: { user: { file: movedBy('QWEN_HOME', ['.qwen'], 'QWEN.md') }, project: AGENTS_MD },
    left: 'In a project, run qwen mcp approve parley once',
  },
  {
    name: 'opencode',
    title: 'opencode',
    programs: ['opencode'],
    format: 'jsonc',
    at: ['mcp', NAME],
    user: ({ env, home }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode', 'opencode.json'),
    project: here('opencode.json'),
    stdio: ({ command, args, env }) => ({ type: 'local', command: [command, ...args], environment: env }),
    http: (entry) => ({ type: 'remote', ...entry, oauth: false }),
    limit: { timeout: DAY_MS },
    allow: {
      file: ({ env, home }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode', 'opencode.json'),
      at: ['permission', `${NAME}_*`],
      value: 'allow',
    },
    instructions: { user: { file: home('.config', 'opencode', 'AGENTS.md') }, project: AGENTS_MD },
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    programs: ['copilot'],
    format: 'jsonc',
    at: SERVERS,
    user: movedBy('COPILOT_HOME', ['.copilot'], 'mcp-config.json'),
    ...SHARED,
    stdio: (entry) => ({ type: 'local', ...entry, tools: ['*'] }),
    http: (entry) => ({ type: 'http', ...entry, tools: ['*'] }),
    limit: { timeout: DAY_MS },
    allow: {
      file: movedBy('COPILOT_HOME', ['.copilot'], 'permissions-config.json'),
      list: (places) => ['locations', projectOf(places), 'tool_approvals'],
      item: { kind: 'mcp', serverName: NAME, toolName: null },
    },
    instructions: {
      user: { file: movedBy('COPILOT_HOME', ['.copilot'], 'instructions', 'parley.instructions.md') },
      project: AGENTS_MD,
    },
  },
  {
    name: 'kimi',
    title: 'Kimi Code',
    programs: ['kimi'],
    format: 'json',
    at: SERVERS,
    user: movedBy('KIMI_CODE_HOME', ['.kimi-code'], 'mcp.json'),
    project: here('.kimi-code', 'mcp.json'),
    stdio: (entry) => entry,
    http: (entry) => entry,
    limit: { toolTimeoutMs: DAY_MS },
    instructions: { user: { file: movedBy('KIMI_CODE_HOME', ['.kimi-code'], 'AGENTS.md') }, project: AGENTS_MD },
  },
  {
    name: 'pi',
    title: 'pi',
    programs: ['pi'],
    versions: { from: 1 },
    format: 'jsonc',
    at: SERVERS,
    user: home('.pi', 'agent', 'mcp.json'),
    project: here('.pi', 'mcp.json'),
    stdio: (entry) => ({ ...entry, exposure: 'direct' }),
    http: (entry) => ({ ...entry, exposure: 'direct' }),
    limit: { timeout: DAY_SECONDS },
    instructions: { user: { file: home('.pi', 'agent', 'AGENTS.md') }, project: AGENTS_MD },
  },
  {
    name: 'pi-0',
    title: 'pi 0.x',
    programs: ['pi'],
    versions: { below: 1 },
    format: 'jsonc',
    at: SERVERS,
    user: home('.config', 'mcp', 'mcp.json'),
    ...SHARED,
    stdio: (entry) => ({ ...entry, directTools: true }),
    http: (entry) => ({ ...entry, directTools: true }),
    limit: { requestTimeoutMs: DAY_MS },
    instructions: { user: { file: home('.pi', 'agent', 'AGENTS.md') }, project: AGENTS_MD },
    left: 'pi 0.x needs pi-mcp-adapter to use it',
  },
  {
    name: 'cline',
    title: 'Cline',
    programs: ['cline'],
    format: 'json',
    at: SERVERS,
    user: ({ env, home }) =>
      env.CLINE_MCP_SETTINGS_PATH ||
      join(
        env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data'),
        'settings',
        'cline_mcp_settings.json',
      ),
    stdio: (entry) => entry,
    http: (entry) => ({ type: 'streamableHttp', ...entry }),
    limit: { timeout: DAY_SECONDS },
    allow: { entry: { autoApprove: AGENT_TOOLS } },
  },
  {
    name: 'continue',
    title: 'Continue',
    programs: ['cn'],
    format: 'yaml',
    at: SERVERS,
    user: home('.continue', 'config.yaml'),
    stdio: (entry) => entry,
    http: ({ url, headers }) => ({ type: 'streamable-http', url, ...(headers && { requestOptions: { headers } }) }),
    instructions: { user: { file: home('.continue', 'rules', 'parley.md') } },
    left: 'Continue ends every call after 60 s; what was answered later comes with the next call',
  },
  ...EDITORS,
]
