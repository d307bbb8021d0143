import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { attempt } from '../attempt.ts'

export interface SearchPath {
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
}

/** The program that a shell would run, but for one that depends on the folder that it happens to be in. */
export function programOnPath(name: string, { env, platform }: SearchPath): string | undefined {
  const endings = platform === 'win32' ? ['.cmd', '.exe'] : ['']
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isProgram)
}

function isProgram(path: string): boolean {
  return attempt(
    () => {
      accessSync(path, constants.X_OK)
      // A folder may be entered, which is the same right.
      return statSync(path).isFile()
    },
    () => false,
  )
}
