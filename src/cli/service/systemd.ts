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
ExecStart=${commandLine(words)}
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

/** Variables are looked for in what follows the program, and not in its own path. */
function commandLine([program = '', ...words]: string[]): string {
  return [quoted(program), ...words.map((word) => quoted(word).replaceAll('$', '$$$$'))].join(' ')
}

function quoted(word: string): string {
  const escaped = word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')
  return `"${escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`
}
