import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { lastHub } from '../doors/socket/last-hub.ts'
import { attempt } from '../io/attempt.ts'
import { ignoring } from '../io/system-error.ts'
import { openLogFile } from '../ops/log-file.ts'
import { makeConsoleSafe } from '../ops/safe-console.ts'
import { ParleyError } from '../protocol/errors.ts'
import { DEFAULT_PORT, type Given, hubSettings } from '../protocol/settings.ts'
import { openHubProcess } from './hub-process.ts'
import { takeStartupLock } from './startup-lock.ts'

/** The message of a line to the hub that it starts. */
interface Start {
  data: string
  given: Given
  /** 0 for any; absent for the usual one, or any. */
  port?: number
}

/** The line that started this process is about to ask. */
const PATIENCE_MS = 150
/** The descriptor of the connection to a hub that keeps nothing. */
const LENT = 3

let isTold = false
const { data, given, port } = JSON.parse(process.argv[2] ?? '{}') as Start

makeConsoleSafe()
process.on('uncaughtException', (error) => {
  console.error(error.stack)
  process.exit(1)
})

try {
  const { keepSeconds, host, log } = hubSettings(given)
  const tokens = process.env.PARLEY_TOKENS || undefined
  const startupLock = await takeStartupLock({ data, host, tokens, ports: ports() })
  tell({ listening: true })
  const hub = await openHubProcess({
    startupLock,
    data,
    given,
    tokens,
    keepSeconds,
    log: { ...log, out: data === 'memory' ? undefined : openLogFile(data) },
    lent: data === 'memory' ? new Socket({ fd: LENT }) : undefined,
    failing: tellFailure,
    patienceMs: PATIENCE_MS,
  })
  const { closeOnSignals } = await import('../ops/signals.ts')
  const { giveBackAtRest } = await import('../ops/spare-memory.ts')
  closeOnSignals(() => hub.end('ending'))
  tell({ ready: true })
  giveBackAtRest()
  await hub.ended
  process.exit()
} catch (error) {
  if (!(error instanceof ParleyError)) throw error
  tellFailure(error)
  console.error(error.message)
  process.exit(1)
}

/** The ports to try: first the one of the last hub, where its pages look for it. */
function ports(): [number, ...number[]] {
  const last = data === 'memory' ? port : lastHub(data)?.port
  const usual: [number, ...number[]] = port === 0 ? [0] : [DEFAULT_PORT, 0]
  return last ? [last, ...usual] : usual
}

function tellFailure(error: unknown) {
  if (error instanceof ParleyError && !isTold) tell({ failed: { code: error.code, text: error.message } })
  isTold = true
}

/** Reports to the process that started this one, if it still listens. */
function tell(what: object) {
  attempt(() => writeSync(1, `${JSON.stringify(what)}\n`), ignoring())
}
