import { join } from 'node:path'
import type { Wire } from '../driven/model-servers.ts'
import type { Wanted } from './from-registry.ts'

/** A client as the registry has it, set up by a person who has a model of their own. */
export interface RealClient extends Wanted {
  /** What it is called in a shell, and where that is among the installed packages. */
  program: string
  path(modules: string): string
  /** How it does one thing and ends. */
  args(prompt: string): string[]
  /** How it speaks to its model. */
  wire: Wire
  /** The files in the home folder that the person has written. */
  files?(places: { modelUrl: string; modules: string }): Record<string, string>
  environment?(modelUrl: string): Record<string, string>
  /** How the page calls it. */
  shown: string
}

const IN_JSON = JSON.stringify
const KEY = 'scripted'
const SYSTEM = `${process.platform}-${process.arch}`

/** By the names that `parley connect` has for them. */
export const REAL_CLIENTS: Record<string, RealClient> = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.327',
    program: 'claude',
    // What its package would link to in a script of its own.
    path: (modules) => join(modules, '@anthropic-ai', `claude-code-${SYSTEM}`, 'claude'),
    args: (prompt) => ['-p', prompt],
    wire: 'anthropic',
    files: () => ({ '.claude/settings.json': '{\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n' }),
    environment: (url) => ({
      ANTHROPIC_BASE_URL: bare(url),
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    shown: 'Claude Code',
  },
  codex: {
    package: '@openai/codex',
    version: '0.169.0',
    program: 'codex',
    path: inBin('codex'),
    args: (prompt) => ['exec', '--skip-git-repo-check', prompt],
    wire: 'responses',
    files: ({ modelUrl }) => ({
      '.codex/config.toml': `# mine
model = "m"
model_provider = "own" # at home

[model_providers.own]
name = "own"
base_url = "${modelUrl}"
wire_api = "responses"
`,
    }),
    shown: 'Codex',
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    path: inBin('gemini'),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '-p', prompt],
    wire: 'gemini',
    files: () => ({
      '.gemini/settings.json': `{
  // mine
  "privacy": { "usageStatisticsEnabled": false },
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}
`,
    }),
    environment: (url) => ({
      GOOGLE_GEMINI_BASE_URL: bare(url),
      GEMINI_API_KEY: KEY,
      // Where a folder is not trusted it starts no server.
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // With any of them it loses the headers of all answers on Node 26, and with them every server over HTTP.
      HTTP_PROXY: '',
      HTTPS_PROXY: '',
      NO_PROXY: '',
    }),
    shown: 'Gemini CLI',
  },
  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    program: 'qwen',
    path: inBin('qwen'),
    args: (prompt) => ['-p', prompt],
    wire: 'openai',
    files: () => ({ '.qwen/settings.json': '{\n  "security": { "auth": { "selectedType": "openai" } }\n}\n' }),
    environment: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'm' }),
    shown: 'Qwen Code',
  },
  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    path: (modules) => join(modules, `opencode-${SYSTEM}`, 'bin', 'opencode'),
    args: (prompt) => ['run', prompt],
    wire: 'openai',
    files: ({ modelUrl }) => ({
      '.config/opencode/opencode.json': `{
\t// mine
\t"model": "own/m", "small_model": "own/m",
\t"provider": {
\t\t"own": {
\t\t\t"npm": "@ai-sdk/openai-compatible",
\t\t\t"options": { "baseURL": "${modelUrl}", "apiKey": "${KEY}" },
\t\t\t"models": { "m": {} }
\t\t}
\t}
}
`,
    }),
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    shown: 'opencode',
  },
  copilot: {
    package: '@github/copilot',
    version: '1.0.102',
    program: 'copilot',
    path: (modules) => join(modules, '@github', `copilot-${SYSTEM}`, 'copilot'),
    args: (prompt) => ['-p', prompt],
    wire: 'openai',
    environment: (url) => ({
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'm',
      COPILOT_OFFLINE: 'true',
    }),
    shown: 'Copilot',
  },
  kimi: {
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    program: 'kimi',
    path: inBin('kimi'),
    args: (prompt) => ['-p', prompt],
    wire: 'openai',
    files: ({ modelUrl }) => ({
      '.kimi-code/config.toml': `default_model = "m"
telemetry = false

[providers.own]
type = "openai"
base_url = "${modelUrl}"
api_key = "${KEY}"

[models.m]
provider = "own"
model = "m"
max_context_size = 200000
`,
    }),
    shown: 'Kimi Code',
  },
  'pi-0': {
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    beside: ['pi-mcp-adapter@2.36.0'],
    program: 'pi',
    path: inBin('pi'),
    args: (prompt) => ['--provider', 'own', '--model', 'm', '-p', prompt],
    wire: 'openai',
    files: ({ modelUrl, modules }) => ({
      '.pi/agent/models.json': IN_JSON({
        providers: { own: { baseUrl: modelUrl, api: 'openai-completions', apiKey: KEY, models: [{ id: 'm' }] } },
      }),
      '.pi/agent/settings.json': IN_JSON({ packages: [join(modules, 'pi-mcp-adapter')] }),
    }),
    shown: 'pi',
  },
  cline: {
    package: 'cline',
    version: '3.0.65',
    program: 'cline',
    path: inBin('cline'),
    args: (prompt) => [prompt],
    wire: 'openai',
    files: ({ modelUrl }) => ({
      '.cline/data/settings/providers.json': IN_JSON({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: KEY, model: 'm', baseUrl: modelUrl },
            updatedAt: '2026-11-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
    shown: 'Cline',
  },
  continue: {
    package: '@continuedev/cli',
    version: '1.5.47',
    program: 'cn',
    path: inBin('cn'),
    args: (prompt) => ['-p', prompt],
    wire: 'openai',
    files: ({ modelUrl }) => ({
      '.continue/config.yaml': `name: mine # said
version: 1.0.0
schema: v1
models:
  - name: m
    provider: openai
    model: m
    apiBase: ${modelUrl}
    apiKey: ${KEY}
    roles: [chat]
    capabilities: [tool_use]
`,
    }),
    shown: 'Continue',
  },
}

function inBin(program: string) {
  return (modules: string) => join(modules, '.bin', program)
}

/** Some add the version of the interface themselves. */
function bare(modelUrl: string): string {
  return modelUrl.replace(/\/v1$/, '')
}
