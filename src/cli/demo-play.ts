export interface Scene {
  /** What the agent says, knowing the reply to the scene before. */
  text(reply: string): string
  quick_replies: string[]
  /** How long it seems to work after the reply. */
  work_ms: number
}

/** A short day in an agent's life. The last scene leads back to the first. */
export const PLAY: Scene[] = [
  {
    text: () => `Hello! I am a **demo agent**. I called the tool \`send_message\` and now I wait, just as Claude Code, Codex or Gemini CLI would.

Whatever you answer comes back to me as the result of that call. Shall I show you something?`,
    quick_replies: ['Yes, show me', 'What can you do?'],
    work_ms: 1200,
  },
  {
    text: (reply) => `You said “${quoted(reply)}”, so here is what a message can hold:

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

**May I rename 12 files in \`src/\`?** (I will not, it is only a demo.)`,
    quick_replies: ['Yes, rename them', 'No, leave them', 'Only the tests'],
    work_ms: 1800,
  },
  {
    text: (reply) => `Understood: *${quoted(reply)}*. This is how far I am:

- [x] read the project
- [x] asked you first
- [ ] run the tests
- [ ] write the summary

Half of it is done. Shall I go on?`,
    quick_replies: ['Go on', 'Stop here'],
    work_ms: 2400,
  },
  {
    text: (reply) => `- [x] read the project
- [x] asked you first
- [x] run the tests
- [x] write the summary

Thank you! Your last words were:

> ${quoted(reply)}

They reached me word for word. Say anything, and we start again.`,
    quick_replies: ['Start again'],
    work_ms: 800,
  },
]

function quoted(reply: string): string {
  return reply.replace(/\s+/g, ' ').slice(0, 200)
}
