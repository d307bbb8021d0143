import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Family } from './model-servers.ts'

/** The folder is not among the packages, which are all removed when they are installed anew. */
const CACHE = fileURLToPath(new URL('../../../.cache/agents/', import.meta.url))
const IN_JSON = JSON.stringify

interface RealAgent {
  family: Family
  package: string
  version: string
  /** What it calls the tool that runs commands. */
  shell: string
  /** How it is started, from what was installed there. */
  command(modules: string): string
  /** The environment with which it speaks to this model and to nobody else. */
  environment(modelUrl: string): Record<string, string>
}

export const REAL_AGENTS: Record<string, RealAgent> = {
  claude: {
    family: 'anthropic',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.99.0',
    shell: 'Bash',
    command: (modules) =>
      `${IN_JSON(process.execPath)} ${IN_JSON(join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js'))}`,
    environment: (url) => ({
      ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Otherwise it does not run for root, as tests often do.
      IS_SANDBOX: '1',
    }),
  },
  opencode: {
    family: 'openai',
    package: 'opencode-ai',
    version: '1.18.18',
    shell: 'bash',
    // What its package would link to in a script of its own.
    command: (modules) =>
      `${IN_JSON(join(modules, `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode'))} acp`,
    environment: (url) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: IN_JSON({
        model: 'scripted/m',
        small_model: 'scripted/m',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: url, apiKey: 'scripted' },
            models: { m: {} },
          },
        },
      }),
    }),
  },
}

/** The folder of its packages, which are downloaded once. */
export function installed({ package: name, version }: RealAgent): string {
  const folder = join(CACHE, `${name.replace('/', '+')}@${version}`)
  const modules = join(folder, 'node_modules')
  // The last thing that npm writes.
  if (existsSync(join(modules, '.package-lock.json'))) return modules
  mkdirSync(folder, { recursive: true })
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', '--prefix', folder, '--save-exact', ...quietly, `${name}@${version}`], {
    stdio: 'inherit',
  })
  return modules
}
