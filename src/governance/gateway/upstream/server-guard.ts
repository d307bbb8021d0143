import { type ChildProcess, spawn } from 'node:child_process'

/** Reads who is there and who has gone, one a line. Once nobody writes any more, ends all that are there still. */
const SCRIPT = `
while read -r what group; do
  rest=
  for one in $there; do [ "$one" = "$group" ] || rest="$rest $one"; done
  there=$rest
  [ "$what" = there ] && there="$there $group"
done
[ -n "$there" ] || exit 0
sleep 1
for one in $there; do kill -9 -"$one"; done
`

/** Outlives this process, and ends groups of processes that a killed one could not end. */
function createServerGuard() {
  let guard: ChildProcess | undefined
  return {
    there: (group: number) => tell('there', group),
    gone: (group: number) => guard && tell('gone', group),
  }

  function tell(what: 'there' | 'gone', group: number) {
    if (process.platform === 'win32') return
    guard ??= start()
    guard.stdin?.write(`${what} ${group}\n`)
  }

  function start(): ChildProcess {
    // A group of its own, because whoever ends this process may mean all of its group.
    const started = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    // Nothing is guarded without a shell.
    started.on('error', () => {})
    started.stdin.on('error', () => {})
    ;(started.stdin as unknown as { unref?(): void }).unref?.()
    started.unref()
    return started
  }
}

/** One for all servers of this process. */
export const serverGuard = createServerGuard()
