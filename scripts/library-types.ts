import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ENTRIES = ['subscriptions', 'catch-up']
const IMPORTED = /(?<=\b(?:from|import\() ?)'([^']+)'/g

/**
 * What the compiler declared of the library's two entries, beside their code: with all that they need and no more. They
 * need no package, for none is installed with Parley.
 */
export function moveLibraryTypes(from: string, to: string): void {
  const names = new Set(ENTRIES)
  for (const name of names) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8')
    writeFileSync(
      join(to, `${name}.d.ts`),
      text.replaceAll(IMPORTED, (_, path: string) => `'./${needed(path)}.js'`),
    )
  }

  function needed(path: string): string {
    const [, name] = /^\.\/([\w-]+)\.ts$/.exec(path) ?? []
    if (!name) throw new Error(`The types of the library may need nothing but its own files: ${path}`)
    names.add(name)
    return name
  }
}
