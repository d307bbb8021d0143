/** A coding agent that speaks ACP, by itself or by an adapter. */
export interface KnownAgent {
  id: string
  /** Its name as people know it. */
  name: string
  /** Its own program, by which it is found. */
  program: string
  /** What starts it, where it speaks ACP by itself. */
  args?: readonly string[]
  /** The program that speaks ACP for it, and the package that has it. */
  adapter?: { program: string; package: string; version: string }
  /** What somebody runs in a terminal to sign in. */
  login: string
  /** Where it comes from, as one sentence after its name. */
  install: string
  /** What it cannot do, one sentence each. */
  limits?: readonly string[]
}

/** Everything that is known of how agents are found and started. Facts about one more are one more row. */
export const CATALOGUE: readonly KnownAgent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    program: 'claude',
    adapter: { program: 'claude-agent-acp', package: '@agentclientprotocol/claude-agent-acp', version: '0.99.0' },
    login: 'claude /login',
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  {
    id: 'codex',
    name: 'Codex',
    program: 'codex',
    adapter: { program: 'codex-acp', package: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    login: 'codex login',
    install: 'npm install -g @openai/codex',
    limits: ['A command that is stopped may run on'],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    program: 'gemini',
    args: ['--acp'],
    login: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    limits: ['It does not show what its commands print'],
  },
  {
    id: 'opencode',
    name: 'opencode',
    program: 'opencode',
    args: ['acp'],
    login: 'opencode auth login',
    install: 'npm install -g opencode-ai',
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    program: 'qwen',
    args: ['--acp'],
    login: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
  },
  {
    id: 'kimi',
    name: 'Kimi Code',
    program: 'kimi',
    args: ['acp'],
    login: 'kimi login',
    install: 'npm install -g @moonshot-ai/kimi-code',
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    program: 'copilot',
    args: ['--acp'],
    login: 'copilot login',
    install: 'npm install -g @github/copilot',
  },
  {
    id: 'cline',
    name: 'Cline',
    program: 'cline',
    args: ['--acp'],
    login: 'cline auth',
    install: 'npm install -g cline',
    limits: ['It uses no tools of Parley', 'It forgets the conversation when it sleeps'],
  },
  {
    id: 'goose',
    name: 'Goose',
    program: 'goose',
    args: ['acp'],
    login: 'goose configure',
    install: 'see its documentation',
    limits: ['Nobody has tried it with Parley yet'],
  },
]

export function agentWithId(id: string): KnownAgent | undefined {
  return CATALOGUE.find((agent) => agent.id === id)
}
