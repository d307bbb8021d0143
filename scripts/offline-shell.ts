import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** What the page needs to open. Icons are only for installing it. */
const NEEDED = /^(?:assets\/.*|favicon\.svg|first\.css|theme\.js)$/
const UNSTAMPED = "const SHELL = { version: '', files: ['/'] }"

/** Writes into the service worker which files it keeps, and a version that changes with any of them. */
export function offlineShell(): Plugin {
  return {
    name: 'offline-shell',
    apply: 'build',
    writeBundle: { sequential: true, order: 'pre', handler: ({ dir = '' }) => stamp(dir) },
  }
}

async function stamp(folder: string): Promise<void> {
  const worker = join(folder, 'sw.js')
  const code = await readFile(worker, 'utf8')
  if (!code.includes(UNSTAMPED)) throw new Error(`${worker} has no place for its files`)
  const found = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'))
  const files = ['index.html', ...found.filter((file) => NEEDED.test(file)).sort()]
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(folder, file)))
  const shell = {
    version: hash.digest('hex').slice(0, 16),
    files: files.map((file) => (file === 'index.html' ? '/' : `/${file}`)),
  }
  await writeFile(worker, code.replace(UNSTAMPED, `const SHELL = ${JSON.stringify(shell)}`))
}
