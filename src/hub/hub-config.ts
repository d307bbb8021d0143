import type { Listener, ServeFiles } from '../doors/http/listener.ts'
import type { GatewayWanted } from '../doors/mcp/surfaces/gateway-surface.ts'
import type { SqliteThread } from '../log/sqlite/sqlite-thread.ts'
import type { Log } from '../log/views.ts'
import type { Output } from '../ops/logbook.ts'
import type { Composer } from '../protocol/composer.ts'
import type { Limits } from '../protocol/limits.ts'
import type { LogLevel } from '../protocol/log-level.ts'

export interface HubConfig {
  host: string
  /** 0 for any free one. */
  port: number
  /** Of pages that are not the hub's own and may still use it. */
  origins?: readonly string[]
  /** The folder of the log, or `memory` for a hub that forgets. */
  data: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** After this long a call that waits comes back; otherwise what is known of its client decides. 0 is forever. */
  maxWaitSeconds?: number
  limits?: Readonly<Limits>
  /** Whether the deprecated server `ui` is there. */
  legacyUi?: boolean
  composer?: Composer
  /** Without it, only what should not happen is told. */
  log?: Readonly<{ level: LogLevel; content: boolean; out?: Output }>
}

export interface HubParts {
  /** Opens the log of a data folder; with the address of what can be found in it, it can be searched. */
  openLog?(data: string, text: URL, thread?: SqliteThread): Promise<Log>
  /** Where it is reached and the thread of its log, if they are there already. */
  startupLock?: { listener: Listener; thread: SqliteThread }
  /** The files of the page, if somebody serves them already. */
  page?: ServeFiles
  /** Other than usual: the environment of mounted servers, and how patient the hub is with them. */
  gateway?: Partial<Pick<GatewayWanted, 'env' | 'patience'>>
  /** Told when every call was answered and the hub says goodbye. */
  goodbye?(): Promise<unknown>
}
