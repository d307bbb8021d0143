/** What was measured of an agent: things that it does not say of itself, or says and does not do. */
export interface KnownAgent {
  /** The one in which it asks, where it begins in another. */
  asking_mode?: string
  /** Begins with a sign-in. */
  login?: string
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

const KNOWN: Record<string, KnownAgent> = {
  '@agentclientprotocol/claude-agent-acp': { login: 'claude /login' },
  '@zed-industries/claude-code-acp': { login: 'claude /login' },
  '@agentclientprotocol/codex-acp': { asking_mode: 'read-only', login: 'codex login', keeps_running: true },
  'codex-acp': { asking_mode: 'read-only', login: 'codex login', keeps_running: true },
  'gemini-cli': { login: 'gemini', minute: true },
  OpenCode: { login: 'opencode auth login', tokens_of: 'call' },
  'qwen-code': { asking_mode: 'default', login: 'qwen' },
  Copilot: { login: 'copilot login', tokens_of: 'session' },
  'Kimi Code CLI': { login: 'kimi login' },
  cline: { login: 'cline auth', no_mcp: true, no_load: true, repeats: true, needs_pause: true },
}

export function knownAgent(name: string | undefined): KnownAgent {
  return KNOWN[name ?? ''] ?? {}
}

/** OpenCode asks nobody unless it is told to; whoever wants it otherwise sets this. No other agent reads it. */
export const ASKING_ENVIRONMENT = { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask', edit: 'ask' }) }

const ASKING_MODES = ['default', 'ask', 'manual', 'normal', 'read-only']
const ALLOWS_ALL = /bypass|yolo|full.?access|danger|auto|don.?t.?ask|allow.?all|accept/i

interface Modes {
  current?: string
  all: { id: string; name: string }[]
}

/** The mode to set at the start, so that the agent asks before it acts; none where it does already. */
export function askingMode(modes: Modes, known: KnownAgent): string | undefined {
  const ids = modes.all.map(({ id }) => id)
  if (known.asking_mode && ids.includes(known.asking_mode)) return known.asking_mode
  if (!allowsAll(modes)) return undefined
  const named = ASKING_MODES.find((id) => ids.includes(id))
  return named ?? modes.all.find(({ id, name }) => !ALLOWS_ALL.test(id) && !ALLOWS_ALL.test(name))?.id
}

export function allowsAll(modes: Modes): boolean {
  const now = modes.all.find(({ id }) => id === modes.current)
  return now !== undefined && (ALLOWS_ALL.test(now.id) || ALLOWS_ALL.test(now.name))
}
