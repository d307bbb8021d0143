import type { View } from '../../chat/view.ts'
import type { Composer } from '../../protocol/composer.ts'
import type { ParleyError } from '../../protocol/errors.ts'
import type {
  Beginner,
  Catalogue,
  FolderFile,
  FolderFiles,
  FolderPage,
  Launch,
  RunningAgent,
  SessionPage,
} from '../../protocol/frames/launching.ts'
import type { PolicySeen } from '../../protocol/tools/policy.ts'

/** Starting agents, as far as the principal may. */
export interface Launching {
  catalogue(): Promise<Catalogue>
  browse(folder: string | undefined, after?: string): Promise<FolderPage>
  allowAdapter(agent: string, version: string): Promise<void>
  findFiles(folder: string, query: string): Promise<FolderFiles>
  showFile(folder: string, path: string): Promise<FolderFile>
  sessions(agent: string, folder: string, after?: string): Promise<SessionPage>
  /** What a session is called that was listed. */
  sessionTitle(agent: string, folder: string, session: string): Promise<string | undefined>
  /** Begins a conversation with the runner that does it, by its name. */
  begin<Begun>(wanted: Launch, beginner: Beginner<Begun>): Promise<Begun>
  /** Those that have a process now. */
  running(): Promise<RunningAgent[]>
  /** Ends it, or all, soon; what is about to start does not. */
  stop(runner?: string): Promise<void>
  onChange(changed: () => void): { close(): void }
}

/** The parts of its connection that a dialect is given. */
export interface Connection {
  /** The view that its client may use. */
  view: View
  /** Whether people can write in the page at any time, or only while an agent asks. */
  composer: Composer
  /** News about the rules for people. */
  policy?: Pick<PolicySeen, 'news' | 'follow'>
  /** Whether the hub can work. */
  readiness?: { refusal(): ParleyError | undefined; onChange(listener: () => void): { close(): void } }
  /** Absent where the hub starts no agents; `foreign` in a page that is not its own, which may not. */
  launching?: Launching | 'foreign'
  /** Sends text of this client alone, or frames of many clients as they go over the wire. */
  send(frame: string | Buffer): void | Promise<void>
  /** The same at the end of the turn of the event loop, in one write with all that is sent in that turn. */
  sendSoon(frame: Buffer): void | Promise<void>
  /** Resolves once the client has taken everything; nothing where it has, so that what is sent now is not late. */
  behind(): Promise<void> | undefined
  /** The connection cannot go on; the client reconnects and resumes. */
  fail(error: unknown): void
}

/** A client of one wire format: what it says becomes commands, what happens becomes its frames. */
export interface Speaker {
  receive(text: string): void | Promise<void>
  refuse(error: ParleyError, text: string): void
  close(): void
}

export type Dialect = (connection: Connection) => Speaker
