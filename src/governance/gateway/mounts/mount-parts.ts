import type { SignInsFile } from '../sign-in/sign-ins-file.ts'
import type { Raw } from '../upstream/upstream.ts'
import type { Patience } from './patience.ts'

export interface MountParts {
  name: string
  /** The mount as it stands in the file. */
  written: unknown
  /** The data folder of the hub. */
  data: string
  env: NodeJS.ProcessEnv
  patience: Patience
  signIns: SignInsFile
  /** Its state or its lists are others now. */
  changed(what: 'state' | 'tools' | 'prompts' | 'resources'): void
  /** What concerns no call: a resource was updated, something is logged. */
  told(method: string, params: Raw): void
}
