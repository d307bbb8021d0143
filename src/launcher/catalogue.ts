/** What was measured of an agent: things that it does not say of itself, or says and does not do. */
export interface AgentQuirks {
  /** The one in which it asks, where it begins in another. */
  asking_mode?: string
  /**
   * Where its own program names the tool of a server that it asks about: in what it adds to the protocol, in the id of the
   * call, or in the title of the permission; in the name of the call where this is absent.
   */
  asks_by?: 'meta' | 'call_id' | 'permission_title'
  /** The agent starts no MCP servers: it takes them over HTTP alone. */
  no_stdio?: true
  /** The agent has no use for MCP servers, whatever it claims. */
  no_mcp?: true
  no_load?: true
  /** Sends what it has streamed once more as a whole. */
  repeats?: true
  /** A prompt right behind a result is lost. */
  needs_pause?: true
  /** The scope of its token counts; a turn where this is absent. */
  tokens_of?: 'session' | 'call'
  /** Lets commands run on when the turn is cancelled. */
  keeps_running?: true
  /** The agent loses a session that is loaded within the clock minute in which it was made. */
  minute?: true
}

/** A coding agent that speaks ACP, by itself or by an adapter. */
export interface CatalogueAgent {
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
  /** The names that it gives itself over ACP, by any of its adapters. */
  told: readonly string[]
  quirks?: AgentQuirks
}

/** Everything that is known of how agents are found and started. Facts about one more are one more row. */
export const CATALOGUE: readonly CatalogueAgent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    program: 'claude',
    adapter: { program: 'claude-agent-acp', package: '@agentclientprotocol/claude-agent-acp', version: '0.99.0' },
    login: 'claude /login',
    install: 'npm install -g @anthropic-ai/claude-code',
    told: ['@agentclientprotocol/claude-agent-acp', '@zed-industries/claude-code-acp'],
  },
  {
    id: 'codex',
    name: 'Codex',
    program: 'codex',
    adapter: { program: 'codex-acp', package: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    login: 'codex login',
    install: 'npm install -g @openai/codex',
    limits: ['A command that is stopped may run on'],
    told: ['@agentclientprotocol/codex-acp', 'codex-acp'],
    quirks: { asking_mode: 'read-only', keeps_running: true },
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    program: 'gemini',
    args: ['--acp'],
    login: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    limits: ['It does not show what its commands print'],
    told: ['gemini-cli'],
    quirks: { minute: true, asks_by: 'call_id' },
  },
  {
    id: 'opencode',
    name: 'opencode',
    program: 'opencode',
    args: ['acp'],
    login: 'opencode auth login',
    install: 'npm install -g opencode-ai',
    told: ['OpenCode'],
    quirks: { tokens_of: 'call' },
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    program: 'qwen',
    args: ['--acp'],
    login: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
    told: ['qwen-code'],
    quirks: { asking_mode: 'default', asks_by: 'meta' },
  },
  {
    id: 'kimi',
    name: 'Kimi Code',
    program: 'kimi',
    args: ['acp'],
    login: 'kimi login',
    install: 'npm install -g @moonshot-ai/kimi-code',
    told: ['Kimi Code CLI'],
    quirks: { asks_by: 'permission_title' },
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    program: 'copilot',
    args: ['--acp'],
    login: 'copilot login',
    install: 'npm install -g @github/copilot',
    told: ['Copilot'],
    quirks: { tokens_of: 'session', no_stdio: true },
  },
  {
    id: 'cline',
    name: 'Cline',
    program: 'cline',
    args: ['--acp'],
    login: 'cline auth',
    install: 'npm install -g cline',
    limits: ['It uses no tools of Parley', 'It forgets the conversation when it sleeps'],
    told: ['cline'],
    quirks: { no_mcp: true, no_load: true, repeats: true, needs_pause: true },
  },
  {
    id: 'goose',
    name: 'Goose',
    program: 'goose',
    args: ['acp'],
    login: 'goose configure',
    install: 'see its documentation',
    limits: ['Nobody has tried it with Parley yet'],
    told: [],
  },
]

export function agentWithId(id: string): CatalogueAgent | undefined {
  return CATALOGUE.find((agent) => agent.id === id)
}
