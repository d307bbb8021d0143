import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Chat } from '../chat/chat.ts'
import type { View } from '../chat/view.ts'
import { ownCommand } from '../io/programs/own-program.ts'
import { openLauncher } from '../launcher/launcher.ts'
import { DEFAULT_FOLDER } from '../protocol/settings.ts'
import type { HubConfig } from './hub-config.ts'

interface LaunchingParts {
  config: HubConfig
  chat: Chat
  everything: View
  /** The agents that have come to this hub. */
  arrivals: { names(): string[]; onChange(changed: () => void): { close(): void } }
  report(error: unknown): void
}

/** The launcher of a hub, and what its page says of beginning with an agent. */
export function openLaunching({ config, chat, everything, arrivals, report }: LaunchingParts) {
  const { data, roots = [], given = {} } = config
  const place = data === join(homedir(), DEFAULT_FOLDER) ? [] : ['--data', data]
  return openLauncher({
    data,
    roots,
    given,
    notes: everything.notes,
    runners: chat.runners,
    lookedAtBy: chat.lookedAtBy,
    choices: chat.choices,
    owed: { by: chat.owedBy, onWanted: chat.runners.onWanted },
    commands: {
      connect: ownCommand('connect', '--surface', 'agent', ...place),
      demo: ownCommand('demo', ...place),
    },
    arrivals,
    awake: (runner) =>
      chat.driven().flatMap(([id, driven]) => (driven.runner === runner && driven.state !== 'asleep' ? id : [])),
    async tell(conversation, error) {
      await everything.record(conversation, { kind: 'error', by: 'Parley', error })
    },
    report,
  })
}
