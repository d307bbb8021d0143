import { join } from 'node:path'
import { MARK, type Supervisor } from './supervisor.ts'

const UNIT = 'parley.service'

/** A unit of the user, who needs no right for it. */
export function systemd(config: string): Supervisor {
  const systemctl = (...words: string[]) => ({ words: ['systemctl', '--user', ...words] })
  return {
    file: join(config, 'systemd/user', UNIT),
    text: ({ words, path }) => `# ${MARK}
[Unit]
Description=Parley, the hub where people and coding agents talk
# A hub that an agent started may still have the folder.
StartLimitIntervalSec=0

[Service]
ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
Environment=${quoted(`PATH=${path}`)}
Restart=on-failure
RestartSec=5
# The hub ends its servers itself.
KillMode=mixed
UMask=0077

[Install]
WantedBy=default.target
`,
    start: [systemctl('daemon-reload'), systemctl('enable', UNIT), systemctl('restart', UNIT)],
    end: [systemctl('disable', '--now', UNIT)],
    forget: [systemctl('daemon-reload')],
    isRunning: systemctl('is-active', UNIT).words,
    log: `journalctl --user --unit ${UNIT}`,
  }
}

function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
}
