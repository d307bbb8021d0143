/** One call of the demo agent: a tool of the agent surface, with what it says knowing the reply before. */
export interface Scene {
  tool: 'set_title' | 'send_progress' | 'send_message' | 'ask_user' | 'approve'
  say(reply: string): Record<string, unknown>
  /** How long it seems to work afterwards. */
  work_ms: number
}

/** A short day in an agent's life. The last scene leads back to the first. */
export const PLAY: Scene[] = [
  { tool: 'set_title', say: () => ({ title: 'A tour of Parley' }), work_ms: 0 },
  {
    tool: 'send_message',
    say: () => ({
      text: `Hello! I am a **demo agent**. I called the tool \`send_message\` and now I wait, just as Claude Code, Codex or Gemini CLI would.

Whatever you answer comes back to me as the result of that call. Shall I show you something?`,
      quick_replies: ['Yes, show me', 'What can you do?'],
    }),
    work_ms: 600,
  },
  { tool: 'send_progress', say: () => ({ text: 'Reading the project' }), work_ms: 900 },
  {
    tool: 'ask_user',
    say: (reply) => ({
      question: `You said “${quoted(reply)}”, so here is what a message can hold:

| agent | starts Parley with | waits for |
| --- | --- | --- |
| Claude Code | \`claude mcp add\` | as long as you need |
| Codex | \`config.toml\` | as long as you need |
| Gemini CLI | \`settings.json\` | as long as you need |

\`\`\`ts
const { reply } = await send_message({ text: 'Deploy now?' })
if (reply === 'Yes') await deploy()
\`\`\`

> A question stays open when you close this page, and when the hub is restarted.

**Which files may I rename?** (I will not, it is only a demo.)`,
      options: [
        { label: 'All of them', description: '12 files in src/ and test/' },
        { label: 'Only the tests', description: '5 files in test/' },
        { label: 'None', description: 'Leave everything as it is' },
      ],
    }),
    work_ms: 600,
  },
  {
    tool: 'send_progress',
    say: (reply) => ({ text: `Understood: ${quoted(reply)}. Next are the tests` }),
    work_ms: 900,
  },
  {
    tool: 'approve',
    say: () => ({ tool_name: 'Bash', input: { command: 'npm test', description: 'Run the tests' } }),
    work_ms: 1200,
  },
  {
    tool: 'send_message',
    say: (reply) => ({
      text: `- [x] read the project
- [x] asked you first
- [x] asked before I ran anything
- [x] write the summary

Thank you! Your last words were:

> ${quoted(reply)}

They reached me word for word. Say anything, and we start again.`,
      quick_replies: ['Start again'],
    }),
    work_ms: 800,
  },
]

function quoted(reply: string): string {
  return reply.replace(/\s+/g, ' ').slice(0, 200)
}
