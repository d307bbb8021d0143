import type { Patience } from './mounts/patience.ts'
import type { Reaching } from './reach.ts'
import type { Raw } from './upstream/upstream.ts'

export interface GatewayParts {
  /** The folder with the list of mounts. */
  data: string
  env: NodeJS.ProcessEnv
  /** Names that tools of mounts must not have. */
  taken(name: string): boolean
  patience?: Partial<Patience>
  /** Without it, every agent has everything. */
  reaching?: Reaching
  /**
   * The address to which a person who signs in to a server is sent back; nothing where a browser would not find the
   * hub.
   */
  callback?(): string | undefined
  report(error: unknown): void
}

/** A change that followers are told of. */
export type Change =
  | { list: 'tools' | 'prompts' | 'resources' }
  | { mount: string }
  /** What agents have in reach, by their views or by the policy. */
  | { reach: 'views' | 'policy' }
  /** A server told something that concerns no call. */
  | { mount: string; method: string; params: Raw }
  /** Why the file of mounts is not used as it is now. */
  | { problem: string | undefined }
