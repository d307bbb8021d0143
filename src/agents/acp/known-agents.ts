import { type AgentQuirks, CATALOGUE } from '../../launcher/catalogue.ts'

/** What the catalogue knows of an agent, by the name that it gives itself. */
export interface KnownAgent extends AgentQuirks {
  /** Begins with a sign-in. */
  login?: string
}

const KNOWN = new Map<string, KnownAgent>(
  CATALOGUE.flatMap(({ told, login, quirks }) => told.map((name) => [name, { login, ...quirks }] as const)),
)

export function knownAgent(name: string | undefined): KnownAgent {
  return KNOWN.get(name ?? '') ?? {}
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
