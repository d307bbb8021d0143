import { join } from 'node:path'
import type { Client } from './client.ts'
import { appFolder, here, home, type Places } from './places.ts'
import { AGENT_TOOLS, NAME } from './server-entry.ts'

const SERVERS = ['mcpServers', NAME]
const AGENTS_MD = { file: here('AGENTS.md') }

const zedSettings = ({ env, home }: Places) =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed', 'settings.json')

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
    allow: { none: 'Cursor asks until its tools are allowed there; a file would replace what was allowed before' },
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
    allow: { none: 'VS Code asks until its tools are allowed there' },
    instructions: { project: AGENTS_MD },
  },
  {
    name: 'zed',
    title: 'Zed',
    programs: ['zed'],
    format: 'jsonc',
    at: ['context_servers', NAME],
    user: zedSettings,
    project: here('.zed', 'settings.json'),
    stdio: (entry) => entry,
    http: (entry) => entry,
    // More is not taken.
    limit: { timeout: 600 },
    allow: {
      file: zedSettings,
      values: AGENT_TOOLS.map((tool) => [
        ['agent', 'tool_permissions', 'tools', `mcp:${NAME}:${tool}`, 'default'],
        'allow',
      ]),
    },
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
    allow: { none: 'Claude Desktop asks until its tools are allowed there' },
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
    allow: {
      file: appFolder('devin', 'config.json'),
      list: () => ['permissions', 'allow'],
      items: [`mcp__${NAME}__*`],
    },
  },
]
