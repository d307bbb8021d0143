import { branchOf } from '../io/programs/branch.ts'
import type { RecentFolder } from '../protocol/frames/launching.ts'
import type { Notes } from './adapters.ts'
import { realFolder } from './folders.ts'

type Kept = Omit<RecentFolder, 'branch'>

const MOST = 20

/** The folders where each person began conversations, the last one first. */
export function createRecentFolders(notes: Notes, now: () => number) {
  return { of, add }

  /** Those that are still there. */
  async function of(person: string): Promise<RecentFolder[]> {
    const found = await Promise.all(
      (await keptOf(person)).map(async (one) => {
        if ((await realFolder(one.folder)) === undefined) return []
        const branch = await branchOf(one.folder)
        return [{ ...one, ...(branch !== undefined && { branch }) }]
      }),
    )
    return found.flat()
  }

  async function add(person: string, folder: string, agent: string) {
    await notes.change(noteOf(person), (value) => {
      const others = ((value ?? []) as Kept[]).filter((one) => one.folder !== folder)
      return [{ folder, agent, at: now() }, ...others].slice(0, MOST)
    })
  }

  async function keptOf(person: string): Promise<Kept[]> {
    return ((await notes.get(noteOf(person))) ?? []) as Kept[]
  }
}

function noteOf(person: string): string {
  return `recent folders of ${person}`
}
