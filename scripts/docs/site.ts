import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SitePage, sitePages } from './site-pages.ts'

const STAGED = 'site/pages'
const INSTALLED = 'site/node_modules/.package-lock.json'

/** The sidebar: what stands in which part, in which order. */
const PARTS: { text: string; folder: string; collapsed?: boolean }[] = [
  { text: 'Parley', folder: '' },
  { text: 'Guides', folder: 'guides' },
  { text: 'Reference', folder: 'reference' },
  { text: 'Decisions', folder: 'adr', collapsed: true },
]
const FIRST = ['index.md', 'ARCHITECTURE.md', 'policy.md', 'mounts.md', 'SECURITY.md', 'SPEC.md', 'performance.md']

/** `npm run site`: the Markdown of the repository as a site with search, in `dist/site`. */
const { pages, images } = sitePages()
rmSync(STAGED, { recursive: true, force: true })
for (const { path, text } of pages) write(path, text)
for (const image of images) {
  const staged = join(STAGED, image.replace(/^docs\//, ''))
  mkdirSync(dirname(staged), { recursive: true })
  copyFileSync(image, staged)
}
const { description } = JSON.parse(readFileSync('package.json', 'utf8'))
const sidebar = PARTS.map(partOf).filter(({ items }) => items.length > 0)
const nav = sidebar.filter(({ link }) => link !== undefined).map(({ text, link }) => ({ text, link }))
write('site.json', JSON.stringify({ description, nav, sidebar }))
// The generator is a package of its own, so that whoever only builds and tests need not install it.
if (!isInstalled()) npm('ci', '--no-audit', '--no-fund')
npm('run', '--silent', 'build')
console.log('The site is in dist/site')

/** As the lock file says now. */
function isInstalled(): boolean {
  return existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync('site/package-lock.json').mtimeMs
}

function npm(...args: string[]) {
  execFileSync('npm', [...args, '--loglevel=error'], {
    cwd: 'site',
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

function write(path: string, text: string) {
  const file = join(STAGED, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The page of a folder is what its heading leads to. */
function partOf({ text, folder, collapsed }: (typeof PARTS)[number]) {
  const own = pages.filter(({ path }) => dirname(path) === (folder || '.')).sort(inOrder)
  const isIndex = ({ path }: SitePage) => folder !== '' && path === `${folder}/index.md`
  const items = own.filter((page) => !isIndex(page)).map(({ path, title }) => ({ text: title, link: addressOf(path) }))
  return { text, collapsed, link: own.some(isIndex) ? `/${folder}/` : undefined, items }
}

function addressOf(path: string): string {
  return `/${path.replace(/(index)?\.md$/, '')}`
}

function inOrder(one: SitePage, other: SitePage): number {
  const place = ({ path }: SitePage) =>
    path.endsWith('index.md') ? -1 : (FIRST.indexOf(path) + FIRST.length + 1) % (FIRST.length + 1)
  return place(one) - place(other) || (one.path < other.path ? -1 : 1)
}
