import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

/** What the licences of others ask of whoever passes their code on: each of them in full, with those who have it. */
export function noticesOf(moduleIds: string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/')) ?? []))
  const named = [...folders].map((folder) => ({ name: nameOf(folder), text: licenceIn(folder) }))
  const byText = Map.groupBy(
    named.toSorted((a, b) => a.name.localeCompare(b.name)),
    ({ text }) => text,
  )
  const parts = [...byText].map(([text, those]) => `${those.map(({ name }) => name).join('\n')}\n\n${text}`)
  return `Parley holds code of others, under these licences.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The same for the page, beside its folder: what is in a worker is seen only by the plugins of the worker. */
export function pageNotices(file: string): { page: Plugin; worker: Plugin } {
  const seen: string[] = []
  const worker: Plugin = {
    name: 'notices',
    apply: 'build',
    transform: (_, id) => void seen.push(id),
  }
  return {
    worker,
    page: { ...worker, writeBundle: ({ dir = '' }) => writeFileSync(join(dir, '..', file), noticesOf(seen)) },
  }
}

function nameOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}, ${license}`
}

function licenceIn(folder: string): string {
  const [file] = globSync('{LICENSE,LICENCE,license,licence,License}*', { cwd: folder })
  return file === undefined ? '(no text of it came with the package)' : readFileSync(join(folder, file), 'utf8').trim()
}
