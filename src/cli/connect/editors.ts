import { join } from 'node:path'
import type { Client } from './client.ts'
import { appFolder, here, home } from './places.ts'
import { NAME } from './server-entry.ts'

const SERVERS = ['mcpServers', NAME]
const AGENTS_MD = { file: here('AGENTS.md') }

/** Editors and applications, by their documented files. */
export const EDITORS: readonly Client[] = [
  {
    name: 'cursor',
    title: 'Cursor',
    programs: ['cursor', 'cursor-agent'],
    app: home('.cursor'),
    format: 'json',
    at: SERVERS,
    user: home('.cursor', 'mcp.json'),
    project: here('.cursor', 'mcp.json'),
    stdio: (entry) => entry,
    http: (entry) => entry,
    instructions: { project: AGENTS_MD },
  },
  {
    name: 'vscode',
    title: 'VS Code',
    programs: ['code'],
    app: appFolder('Code', 'User'),
    format: 'jsonc',
    at: ['servers', NAME],
    user: appFolder('Code', 'User', 'mcp.json'),
    project: here('.vscode', 'mcp.json'),
    stdio: (entry) => ({ type: 'stdio', ...entry }),
    http: (entry) => ({ type: 'http', ...entry }),
    instructions: { project: AGENTS_MD },
  },
  {
    name: 'zed',
    title: 'Zed',
    programs: ['zed'],
    format: 'jsonc',
    at: ['context_servers', NAME],
    user: ({ env, home }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed', 'settings.json'),
    project: here('.zed', 'settings.json'),
    stdio: (entry) => entry,
    http: (entry) => entry,
    // More is not taken.
    limit: { timeout: 600 },
    instructions: { project: AGENTS_MD },
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    programs: [],
    app: appFolder('Claude'),
    format: 'json',
    at: SERVERS,
    user: appFolder('Claude', 'claude_desktop_config.json'),
    stdio: (entry) => entry,
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    programs: ['windsurf'],
    app: appFolder('devin'),
    format: 'json',
    at: SERVERS,
    user: appFolder('devin', 'mcp_config.json'),
    stdio: (entry) => entry,
    http: (entry) => entry,
    allow: { file: appFolder('devin', 'config.json'), list: () => ['permissions', 'allow'], item: `mcp__${NAME}__*` },
  },
]
