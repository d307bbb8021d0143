import { type CommandText, DATA } from './command-text.ts'

export const SERVICE_COMMANDS = {
  service: {
    group: 'Run the hub',
    about: 'let the system run the hub, from login on: a systemd user unit, or a launchd agent on macOS',
    settings: [],
    examples: [
      ['parley service install', ''],
      ['parley service status', ''],
    ],
  },
  'service install': {
    about: 'write the unit and start it; again, with what is different now',
    settings: ['data', 'host', 'port'],
    own: { data: DATA },
    examples: [
      ['parley service install', 'the hub of ~/.parley'],
      ['parley service install --data ~/talks --port 4200', ''],
    ],
  },
  'service remove': {
    about: 'stop it and remove the unit; all that was said stays',
    settings: [],
    examples: [
      ['parley service remove', ''],
      ['parley service remove && npm uninstall --global parley-hub', 'and Parley with it'],
    ],
  },
  'service status': {
    about: 'show whether it is installed and runs; fails if it does not',
    settings: [],
    examples: [
      ['parley service status', ''],
      ['parley service status || parley service install', 'again, where it does not run'],
    ],
  },
} as const satisfies Record<string, CommandText>
