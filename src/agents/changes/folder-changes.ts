import { copyFile, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { ifError } from '../../io/if-error.ts'
import { branchOf } from '../../io/programs/branch.ts'
import { createQueue } from '../../io/queue.ts'
import { ignoring } from '../../io/system-error.ts'
import type { ChangedFile, Changes } from '../../protocol/frames/asked/changes.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { differenceOf } from './difference.ts'
import { type Git, GitFailed, openGit } from './git.ts'
import { environmentOf, takeSnapshot } from './snapshot.ts'

/** The folder as it was when a conversation began there. */
const Start = z.object({
  folder: z.string(),
  repository: z.string(),
  /** Where git keeps what it has. */
  objects: z.string(),
  commit: z.optional(z.string()),
  /** Absent where there was no time to look at every file. */
  tree: z.optional(z.string()),
  large: z.record(z.string(), z.string()),
})
type Start = z.infer<typeof Start>

/** What is changed in a folder from the start of a conversation on; `place` is for what has to be kept for it. */
export function folderChanges(folder: string, place: string) {
  const file = join(place, 'start.json')
  const index = join(place, 'index')
  const objects = join(place, 'objects')
  const work = createQueue()
  return { begin, read, forget }

  /** Keeps the folder as it is now, unless it was kept before. Where it is too late, only the commit is. */
  async function begin(tooLate: AbortSignal): Promise<void> {
    await work.add(async () => {
      if (!(await start())) await keep(tooLate).catch(ifError(GitFailed, () => {}))
    })
  }

  async function keep(tooLate: AbortSignal) {
    const git = await openGit(folder)
    const about = await placesOf(git)
    await mkdir(objects, { recursive: true, mode: 0o700 })
    // What git knows of the files spares it reading all of them again.
    await copyIndex(about.index, index).catch(ignoring('ENOENT'))
    const { index: _, ...known } = about
    const early = { ...known, folder, large: {} }
    await save(early)
    const { tree, large } = await takeSnapshot(git.until(tooLate), folder, { index, objects, known: [about.objects] })
    if (!tooLate.aborted) await save({ ...early, tree, large })
  }

  /** Undefined where there is no git, or was none at the start. */
  async function read(path?: string): Promise<Changes | undefined> {
    return work.add(() => compare(path).catch(ifError(GitFailed, () => undefined)))
  }

  async function compare(path: string | undefined): Promise<Changes | undefined> {
    const before = await start()
    const from = before?.tree ?? before?.commit
    if (!before || from === undefined || before.folder !== folder) return undefined
    const git = await openGit(folder)
    // Another repository in its place is none that anybody offered.
    if ((await placesOf(git)).repository !== before.repository) return undefined
    const own = await mkdtemp(join(place, 'now-'))
    try {
      const now = { index: join(own, 'index'), objects: join(own, 'objects'), known: [objects, before.objects] }
      await mkdir(now.objects)
      await copyIndex(index, now.index).catch(ignoring('ENOENT'))
      const { tree, large, left_out } = await takeSnapshot(git, folder, now)
      const found = await differenceOf({ git, environment: environmentOf(now), from, to: tree, path })
      const branch = await branchOf(folder)
      return {
        against: before.tree === undefined ? 'commit' : 'start',
        ...(before.commit !== undefined && { commit: before.commit }),
        ...(branch !== undefined && { branch }),
        folder,
        files: [...found.files, ...(path === undefined ? await largeFiles(before.large, large) : [])],
        left_out: [...left_out, ...found.left_out],
      }
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

  /** Those that were no such files before, or are not as they were, and those that are gone. */
  async function largeFiles(before: Start['large'], now: Start['large']): Promise<ChangedFile[]> {
    const changed = Object.keys(now).filter((path) => before[path] !== now[path])
    const others = Object.keys(before).filter((path) => now[path] === undefined)
    const there = await Promise.all(
      others.map((path) => lstat(join(folder, path)).catch(ignoring('ENOENT', 'ENOTDIR'))),
    )
    const gone = others.filter((_, n) => there[n] === undefined)
    return [
      ...changed.map((path) => ({ path, kind: 'changed' as const, without: 'large' as const })),
      ...gone.map((path) => ({ path, kind: 'deleted' as const, without: 'large' as const })),
    ]
  }

  async function placesOf(git: Git) {
    const [places, commit] = await Promise.all([
      answer(['rev-parse', '--absolute-git-dir', '--git-path', 'index', '--git-path', 'objects']),
      // There may be no commit yet.
      answer(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']).catch(ifError(GitFailed, () => '')),
    ])
    const [repository = '', itsIndex = '', itsObjects = '', ...more] = places.split('\n')
    if (more.length > 0) throw new GitFailed('an end of a line is part of the name of a folder')
    return {
      repository: await realpath(repository),
      index: resolve(folder, itsIndex),
      objects: resolve(folder, itsObjects),
      ...(commit !== '' && { commit }),
    }

    async function answer(args: string[]): Promise<string> {
      return (await git.run(args)).text.replace(/\n$/, '')
    }
  }

  async function start(): Promise<Start | undefined> {
    const kept = await readFile(file, 'utf8').catch(ignoring('ENOENT'))
    return kept === undefined ? undefined : Start.safeParse(jsonIn(kept)).data
  }

  async function save(about: Start) {
    await writeFile(file, JSON.stringify(about), { mode: 0o600 })
  }

  async function forget() {
    await work.add(() => rm(place, { recursive: true, force: true }))
  }
}

/** By the time of its index, git knows which files may have changed since without looking so. */
async function copyIndex(from: string, to: string) {
  await copyFile(from, to)
  const { mtimeMs } = await stat(from)
  const second = Math.floor(mtimeMs / 1000)
  await utimes(to, second, second)
}
