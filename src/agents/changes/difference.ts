import type { ChangedFile } from '../../protocol/frames/asked/changes.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'
import type { Git } from './git.ts'

const MOST_FILES = 1000
/** All differences that come together, one of them, and one that is asked for alone. */
const ALL_LIMIT_BYTES = 512 * 1024
const ONE_OF_ALL_LIMIT = 64 * 1024
const ONE_LIMIT_BYTES = 1024 * 1024

const COMPARE = ['diff-tree', '-r', '-M', '--relative', '--no-color', '--no-ext-diff', '--no-textconv']
const KINDS: Record<string, ChangedFile['kind']> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

interface Compared {
  git: Git
  environment: Record<string, string>
  from: string
  to: string
  /** The only file whose difference is wanted. */
  path?: string | undefined
}

interface Listed extends ChangedFile {
  /** A file that became a link is written as two differences. */
  parts: 1 | 2
}

/** What differs between two trees, file by file; secrets are masked. */
export async function differenceOf({ git, environment, from, to, path }: Compared) {
  const [states, counts] = await Promise.all([asked('--name-status', '-z'), asked('--numstat', '-z')])
  const all = filesIn(states.text, counts.text)
  const wanted = path === undefined ? all.slice(0, MOST_FILES) : all.filter((file) => file.path === path)
  const files = await withPatches(wanted)
  const isMore = path === undefined && (states.isCut || counts.isCut || all.length > MOST_FILES)
  return {
    files,
    left_out: isMore ? [`More than ${MOST_FILES.toLocaleString('en')} files differ: these are the first`] : [],
  }

  function asked(...more: string[]) {
    return git.run([...COMPARE, ...more, from, to], { environment })
  }

  async function withPatches(listed: Listed[]): Promise<ChangedFile[]> {
    if (listed.length === 0) return []
    const limitBytes = path === undefined ? ALL_LIMIT_BYTES : ONE_LIMIT_BYTES
    // Both names, or it is no rename any more.
    const paths = path === undefined ? [] : ['--', ...listed.flatMap(({ was = path }) => [was, path])]
    const { text, isCut } = await git.run([...COMPARE, '-p', from, to, ...paths], { environment, limitBytes })
    // Only behind an end of line as git writes it: the texts of files have others.
    const patches = text.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part !== '')
    // The last one may be cut in the middle of a line: alone it is better than nothing.
    if (isCut && path === undefined) patches.pop()
    return listed.map(({ parts, ...file }) => {
      const patch = patches.splice(0, parts).join('')
      if (file.added === undefined) return { ...file, without: 'binary' }
      if (patch === '' || (path === undefined && patch.length > ONE_OF_ALL_LIMIT)) return { ...file, without: 'long' }
      return { ...file, patch: maskedText(isCut ? wholeLines(patch) : patch).text }
    })
  }
}

function wholeLines(patch: string): string {
  return patch.slice(0, patch.lastIndexOf('\n') + 1)
}

/** From the two lists of the same files in the same order. */
function filesIn(states: string, counts: string): Listed[] {
  const counted = countsIn(counts)
  const fields = states.split('\0')
  const files: Listed[] = []
  for (let at = 0; at + 1 < fields.length; ) {
    const state = (fields[at++] ?? '').charAt(0)
    const was = state === 'R' || state === 'C' ? fields[at++] : undefined
    const path = fields[at++] ?? ''
    files.push({
      path,
      ...(was !== undefined && state === 'R' && { was }),
      kind: KINDS[state] ?? 'changed',
      ...counted.get(path),
      parts: state === 'T' ? 2 : 1,
    })
  }
  return files
}

/** `-` instead of a number: it is no text. */
function countsIn(counts: string): Map<string, Pick<ChangedFile, 'added' | 'removed'>> {
  const fields = counts.split('\0')
  const counted = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>()
  for (let at = 0; at < fields.length; at++) {
    // There may be tabs in a name, too.
    const [, added, removed, path] = /^(\S+)\t(\S+)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === undefined || removed === undefined) continue
    // Of a renamed file, both names follow.
    if (path === '') at += 2
    const name = path || (fields[at] ?? '')
    counted.set(name, added === '-' ? {} : { added: Number(added), removed: Number(removed) })
  }
  return counted
}
