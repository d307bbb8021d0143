import type { Listener, ServeFiles } from '../doors/http/listener.ts'
import type { GatewayWanted } from '../doors/mcp/surfaces/gateway-surface.ts'
import type { SqliteThread } from '../log/sqlite/sqlite-thread.ts'
import type { Log } from '../log/views.ts'
import type { Output } from '../ops/logbook.ts'
import type { Composer } from '../protocol/composer.ts'
import type { Limits } from '../protocol/limits.ts'
import type { LogLevel } from '../protocol/log-level.ts'
import type { Given } from '../protocol/settings.ts'

export interface HubConfig {
  host: string
  /** 0 for any free one. */
  port: number
  /** Origins of other pages that may use the hub. */
  origins?: readonly string[]
  /** The folder of the log, or `memory` for a hub that forgets. */
  data: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** A call that waits comes back after this long; otherwise what is known of its client decides. 0 is forever. */
  maxWaitSeconds?: number
  limits?: Readonly<Limits>
  /** Whether the deprecated server `ui` is there. */
  legacyUi?: boolean
  composer?: Composer
  /** Folders below which agents may be started from the page; the home folder where there are none. */
  roots?: readonly string[]
  /** The settings that somebody asked for, for a hub that follows this one. */
  given?: Readonly<Given>
  /** Only what should not happen is logged without it. */
  log?: Readonly<{ level: LogLevel; content: boolean; out?: Output }>
}

export interface HubParts {
  /** Opens the log of a data folder; with the address of what can be found in it, it can be searched. */
  openLog?(data: string, text: URL, thread?: SqliteThread): Promise<Log>
  /** The listener and the thread of its log, if they are there already. */
  startupLock?: { listener: Listener; thread: SqliteThread }
  /** The files of the page, if somebody serves them already. */
  page?: ServeFiles
  /** Other than usual settings: the environment of mounted servers, and how patient the hub is with them. */
  gateway?: Partial<Pick<GatewayWanted, 'env' | 'patience'>>
  /** Called when every call was answered and the hub says goodbye. */
  goodbye?(): Promise<unknown>
}
