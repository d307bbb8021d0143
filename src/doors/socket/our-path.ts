import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ignoring } from '../../io/system-error.ts'

/** A folder on the way to another, and why nobody should go there. */
interface Unsafe {
  folder: string
  why: 'foreign' | 'shared'
}

interface Looking {
  /** True for users whose folders are as good as ours. */
  isTrusted?(uid: number): boolean
  /** Only names in it are of interest, and of those only our own. */
  isParent?: boolean
}

const OTHERS_WRITE = 0o022
const STICKY = 0o1000
/** The number of links that Linux follows. */
const MOST_LINKS = 40
/** The user that the kernel shows for somebody who does not exist in here. */
const UNMAPPED = 65_534

/**
 * The first folder or link on the way to a path, the path included, that somebody else could replace. Names in a folder
 * are its owner's and root's to replace; in one with the sticky bit, as /tmp, they belong to who made them. Nothing for
 * a path that is ours, as far as it exists.
 */
export function unsafeIn(
  path: string,
  { isTrusted = isOursOrRoots, isParent = false }: Looking = {},
): Unsafe | undefined {
  const absolute = resolve(path)
  const { root } = parse(absolute)
  let at = root
  let names = namesIn(absolute.slice(root.length))
  for (let links = 0; links <= MOST_LINKS; ) {
    const entry = look(at)
    if (!entry) return undefined
    if (!isTrusted(entry.uid)) return { folder: at, why: 'foreign' }
    if (entry.isSymbolicLink()) {
      const target = readlinkSync(at)
      names = [...namesIn(target), ...names]
      at = isAbsolute(target) ? root : dirname(at)
      links++
    } else if (isShared(entry, !isParent && names.length === 0)) return { folder: at, why: 'shared' }
    const name = names.shift()
    if (name === undefined) return undefined
    at = join(at, name)
  }
  return undefined
}

/** Nobody else may create files at the end of a path. */
function isShared({ mode }: Stats, isLast: boolean): boolean {
  return (mode & OTHERS_WRITE) !== 0 && (isLast || (mode & STICKY) === 0)
}

/** Nothing that can be seen is at stake where nothing can be seen. */
function look(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }), ignoring())
}

export function isOursOrRoots(uid: number): boolean {
  return uid === process.getuid?.() || uid === 0 || (uid === UNMAPPED && isInNamespace())
}

/** A sandbox with users of its own shows everybody else, root too, as the same nobody. */
function isInNamespace(): boolean {
  const users = attempt(() => readFileSync('/proc/self/uid_map', 'utf8'), ignoring())
  return users !== undefined && !/^\s*0\s+0\s+4294967295\s*$/.test(users)
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== '')
}
