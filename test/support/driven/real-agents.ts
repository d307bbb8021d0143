import { join } from 'node:path'
import type { Wanted } from '../cli/from-registry.ts'
import type { Family } from './model-servers.ts'

const IN_JSON = JSON.stringify

interface RealAgent extends Wanted {
  family: Family
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
    version: '1.18.33',
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
