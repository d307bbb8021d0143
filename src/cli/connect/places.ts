import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ignoring } from '../../io/system-error.ts'
import { usage } from '../../protocol/usage.ts'

/** Where files are looked for. */
export interface Places {
  home: string
  cwd: string
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
}

export function placesHere(env: Places['env'], cwd: string): Places {
  return { home: homeFolder(), cwd, env, platform: process.platform }
}

function homeFolder(): string {
  const home = attempt(homedir, ignoring())
  if (home === undefined || !isAbsolute(home)) throw usage('Set HOME to your home folder')
  return home
}

/** As people write it. */
export function shownPath(path: string, { home }: Places): string {
  const isAtHome = path.startsWith(join(home, sep))
  return isAtHome ? `~${sep}${path.slice(join(home, sep).length)}` : path
}

export const home =
  (...parts: string[]) =>
  (places: Places) =>
    join(places.home, ...parts)
export const here =
  (...parts: string[]) =>
  (places: Places) =>
    join(places.cwd, ...parts)
/** In the folder that a variable names, or else in the home folder. */
export const movedBy =
  (variable: string, usual: string[], ...parts: string[]) =>
  ({ env, home }: Places) =>
    join(env[variable] || join(home, ...usual), ...parts)
/** As programs keep their configuration on each system. */
export const appFolder =
  (...parts: string[]) =>
  ({ platform, home, env }: Places) => {
    if (platform === 'darwin') return join(home, 'Library/Application Support', ...parts)
    if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), ...parts)
    return join(env.XDG_CONFIG_HOME || join(home, '.config'), ...parts)
  }

/** Where Goose keeps its configuration. */
export const gooseFolder =
  (...parts: string[]) =>
  ({ platform, home, env }: Places) => {
    const { GOOSE_PATH_ROOT: root = '', XDG_CONFIG_HOME: config = '' } = env
    if (isAbsolute(root)) return join(root, 'config', ...parts)
    if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Block/goose/config', ...parts)
    return join(isAbsolute(config) ? config : join(home, '.config'), 'goose', ...parts)
  }

/** What a project may have its files in. A home folder may be a repository, too, and is no project. */
export function projectFolder(places: Places): string {
  const project = projectOf(places)
  const home = attempt(() => realpathSync(places.home), ignoring()) ?? places.home
  return join(home, sep).startsWith(join(project, sep)) ? places.cwd : project
}

/** The top of the repository that one is in, or else the folder itself. */
export function projectOf({ cwd }: Pick<Places, 'cwd'>): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder
  return cwd
}
