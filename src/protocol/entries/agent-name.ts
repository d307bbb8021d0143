/** What people call an agent whose client has another name for itself. What is not here is only made readable. */
const NAMES: Record<string, string> = {
  '@cline/core': 'Cline',
  'claude-agent': 'Claude Code',
  'copilot-cli': 'Copilot',
  'continue-cli': 'Continue',
  'cursor-vscode': 'Cursor',
  'github-copilot': 'Copilot',
  opencode: 'opencode',
  pi: 'pi',
  'qwen-cli': 'Qwen Code',
}
/** Suffixes that clients add for the protocols that they speak. */
const ADDED = /^@[^/]+\/|[-_ ](?:mcp|acp)(?:[-_ ].*)?$|[-_ ]client$/gi
const SHORT = /^(?:ai|api|cli|ide|ui)$/i
const LONGEST = 40

/** An agent by the name that people know: `gemini-cli-mcp-client` is Gemini CLI. */
export function humanName(by: string): string {
  const bare = by.replace(ADDED, '').trim() || by
  const name = NAMES[by.toLowerCase()] ?? NAMES[bare.toLowerCase()] ?? readable(bare)
  return name.length > LONGEST ? `${name.slice(0, LONGEST).toWellFormed()}…` : name
}

/** Every name by which a rule may mean an agent: `codex-mcp-client` is also `codex` and `Codex`. */
export function agentNames(by: string): string[] {
  const human = humanName(by)
  return [...new Set([by, by.replace(ADDED, '').trim() || by, human, human.toLowerCase()])]
}

/** A name with capitals or blanks is already written as its owner wants it. */
function readable(name: string): string {
  if (/[\p{Lu}\s]/u.test(name)) return name
  return name.split(/[-_]+/).filter(Boolean).map(titled).join(' ') || name
}

function titled(word: string): string {
  return SHORT.test(word) ? word.toUpperCase() : word.replace(/^./u, (first) => first.toUpperCase())
}
