import { join } from 'node:path'
import { type Command, MARK, type Supervisor } from './supervisor.ts'

const LABEL = 'hub.parley'

export function launchd(home: string, uid: number): Supervisor {
  const domain = `gui/${uid}`
  const target = `${domain}/${LABEL}`
  const unload: Command = { words: ['launchctl', 'bootout', target], mayFail: true }
  const file = join(home, 'Library/LaunchAgents', `${LABEL}.plist`)
  const log = join(home, 'Library/Logs/parley.log')
  return {
    file,
    text: ({ words, path }) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key><dict><key>PATH</key><string>${escaped(path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>Umask</key><integer>63</integer>
  <key>StandardErrorPath</key><string>${escaped(log)}</string>
</dict>
</plist>
`,
    start: [unload, { words: ['launchctl', 'bootstrap', domain, file] }],
    end: [unload],
    forget: [],
    // One that has ended by itself is still listed.
    isRunning: ['sh', '-c', 'launchctl print "$0" | grep -q "state = running"', target],
    log,
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}
