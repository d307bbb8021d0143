/** What is run, as words. */
export interface Service {
  words: string[]
  /** What mounted servers are looked for in. */
  path: string
}

export interface Command {
  words: string[]
  /** It is no matter where there was nothing to do. */
  mayFail?: true
}

/** What of a system starts services: where it reads of one, in which words, and the commands that make it do something. */
export interface Supervisor {
  file: string
  text(service: Service): string
  /** Makes it run as the file says now, and at every login. */
  start: Command[]
  /** Ends it, before its file is removed. */
  end: Command[]
  /** Makes the system forget it afterwards. */
  forget: Command[]
  /** Succeeds where it runs. */
  isRunning: string[]
  /** Where a person reads what it said. */
  log: string
}

/** Without it a file is somebody else's. */
export const MARK = 'Made by parley service install; parley service remove takes it away'
