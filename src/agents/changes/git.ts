import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import { programOnPath } from '../../io/programs/program-on-path.ts'
import { agentEnvironment } from '../agent-environment.ts'

const TIME_LIMIT_MS = 10_000
const OUTPUT_LIMIT_BYTES = 8 * 1024 * 1024

/** Settings of a repository, or of the person, that would run something or leave the folder. */
const HARMLESS: [name: string, value: string][] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.untrackedCache', 'false'],
  // Its larger part would be written into the repository.
  ['core.splitIndex', 'false'],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
]
/** Any of these would make git look elsewhere than in the folder, or run or write something. */
const GIT_OWN = /^(GIT_|SSH_ASKPASS)/i

interface Wanted {
  /** Given to its stdin. */
  input?: string
  environment?: Record<string, string>
  /** More than this is cut off. */
  limitBytes?: number
}

interface Running extends Wanted {
  /** That there is nothing of the kind is no failure. */
  isFree?: true
  signal?: AbortSignal
}

interface GitAnswer {
  text: string
  /** There was more of it. */
  isCut: boolean
}

/** Git, or what was asked of it, did not do: it is not there, refuses the folder, or took too long. */
export class GitFailed extends Error {}

export type Git = Pick<Awaited<ReturnType<typeof openGit>>, 'run'>

/** Git in one folder: it runs no program, writes nothing there, and follows nothing out of it. */
export async function openGit(folder: string) {
  const top = topOf(folder)
  const program = top === undefined ? undefined : programOutside(top)
  if (top === undefined || program === undefined) throw new GitFailed('git is not installed')
  const settings = [...HARMLESS]
  // What git calls a filter is a program for the contents of files.
  const { text } = await run(['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], { isFree: true })
  for (const name of new Set(text.split('\0').filter(Boolean).map(filterOf)))
    settings.push([`${name}.clean`, ''], [`${name}.smudge`, ''], [`${name}.process`, ''], [`${name}.required`, 'false'])
  return {
    run: (args: string[], wanted: Wanted = {}) => run(args, wanted),
    /** The same, ended by the signal. */
    until: (signal: AbortSignal) => ({
      run: (args: string[], wanted: Wanted = {}) => run(args, { ...wanted, signal }),
    }),
  }

  function run(args: string[], { input = '', environment, limitBytes = OUTPUT_LIMIT_BYTES, isFree, signal }: Running) {
    return new Promise<GitAnswer>((resolve, reject) => {
      const options = {
        cwd: folder,
        env: { ...environmentFor(top ?? folder, settings), ...environment },
        timeout: TIME_LIMIT_MS,
        signal,
        killSignal: 'SIGKILL' as const,
        maxBuffer: limitBytes,
        windowsHide: true,
      }
      const child = execFile(
        program ?? 'git',
        ['--no-pager', '--literal-pathspecs', ...args],
        options,
        (error, text) => {
          const isCut = error !== null && 'code' in error && String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
          // There is nothing of that name, which git tells in this way.
          const isNone = isFree && error?.code === 1
          if (error && !isCut && !isNone) reject(new GitFailed('git did not do it', { cause: error }))
          else resolve({ text, isCut })
        },
      )
      // It may be gone before it has read everything.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  }
}

/** The folder in or above this one with a repository: the only place where git may look for it. */
function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : topOf(above)
}

function filterOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'))
}

function environmentFor(top: string, settings: typeof HARMLESS): NodeJS.ProcessEnv {
  const own = Object.entries(agentEnvironment()).filter(([name]) => !GIT_OWN.test(name))
  const numbered = settings.flatMap(([name, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, name],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ])
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(settings.length),
    // The repository cannot name another folder, and none above it is looked at.
    GIT_WORK_TREE: top,
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    LC_ALL: 'C',
  }
}

/** A program that lies in the folder itself would be the agent's. */
function programOutside(top: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => isAbsolute(place) && !isIn(place, top))
  return programOnPath('git', { env: { PATH: places.join(delimiter) }, platform: process.platform })
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
}
