/** The clients that can be named, for help and completion, which load no more than this. */
export const CLIENT_NAMES = [
  'claude',
  'codex',
  'gemini',
  'qwen',
  'opencode',
  'copilot',
  'kimi',
  'pi',
  'pi-0',
  'cline',
  'continue',
  'cursor',
  'vscode',
  'zed',
  'claude-desktop',
  'windsurf',
] as const
