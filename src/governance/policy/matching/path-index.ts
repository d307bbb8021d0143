import type { Call } from '../call.ts'
import { compilePathGlob, type PathGlob, type Place } from './path-glob.ts'
import { foldedSteps, type RealFolders, realFolders, type Steps } from './real-path.ts'
import { createTrie, type Trie } from './trie.ts'

interface Kept {
  glob: PathGlob
  number: number
}

interface Tries {
  heads: Trie<string>
  tails: Trie<string>
}

type Visit = (numbers: readonly number[]) => void

// Agents work in few folders, and the names of others must not fill the memory.
const MOST_FOLDERS = 50

/** Rules by where the paths begin that they are about, or by how they end. */
export function createPathIndex(caseless: boolean) {
  const all: number[] = []
  const anywhere = createTries()
  const here: Kept[] = []
  const inFolder = new Map<string, Tries>()
  return { add, visit, first: () => all[0] ?? Number.POSITIVE_INFINITY }

  function add(pattern: string, number: number, known: RealFolders) {
    const glob = compilePathGlob(pattern, caseless)
    all.push(number)
    if (glob.fromCwd) here.push({ glob, number })
    else keep(anywhere, { glob, number }, { cwd: undefined }, known)
  }

  function visit(path: string, call: Call, visit: Visit) {
    const readings = call.readings(path)
    // What nobody can resolve may lead anywhere.
    if (!readings || readings.some(({ real }) => !real)) return visit(all)
    const local = here.length > 0 ? triesIn(call) : undefined
    if (here.length > 0 && !local) visit(here.map(({ number }) => number))
    for (const { written, real } of readings)
      for (const steps of isSame(written, real) ? [written] : [written, real as Steps]) {
        visitIn(anywhere, steps, visit)
        if (local) visitIn(local, steps, visit)
      }
  }

  function visitIn({ heads, tails }: Tries, steps: Steps, visit: Visit) {
    const names = caseless ? foldedSteps(steps) : steps
    heads.visit((n) => names[n], visit)
    tails.visit((n) => names[names.length - 1 - n], visit)
  }

  /** Nothing where nobody knows which folder that is. */
  function triesIn(call: Place): Tries | undefined {
    const { cwd } = call
    if (!cwd?.real) return undefined
    const name = [...cwd.written, ...cwd.real].join('/')
    const known = inFolder.get(name)
    if (known) return known
    if (inFolder.size >= MOST_FOLDERS) inFolder.clear()
    const tries = createTries()
    const real = realFolders(caseless)
    for (const kept of here) keep(tries, kept, call, real)
    inFolder.set(name, tries)
    return tries
  }
}
export type PathIndex = ReturnType<typeof createPathIndex>

function createTries(): Tries {
  return { heads: createTrie(), tails: createTrie() }
}

/** By the end only what begins anywhere. */
function keep({ heads, tails }: Tries, { glob, number }: Kept, place: Place, known: RealFolders) {
  const ends = glob.ends(place, known)
  if (!ends) return
  if (ends.tail.length > 0 && ends.heads.some((head) => head.length === 1))
    return tails.add(ends.tail.toReversed(), number)
  for (const head of ends.heads) heads.add(head, number)
}

function isSame(one: Steps, other: Steps | undefined): boolean {
  return one === other || (one.length === other?.length && one.every((step, n) => step === other[n]))
}
