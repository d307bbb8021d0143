import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { colouringAsModule } from './scripts/colouring-as-module.ts'
import { lexerOnly } from './scripts/lexer-only.ts'
import { pageNotices } from './scripts/notices.ts'
import { offlineShell } from './scripts/offline-shell.ts'
import { styleAfterSkeleton } from './scripts/style-after-skeleton.ts'

/** What the first message needs of others, and what later parts share with it: in one piece it compresses best. */
const OF_OTHERS = /node_modules\/(?:svelte|esm-env|clsx|marked|virtua)\/|vite.preload-helper/
/** With all that they import. */
const SHARED =
  /\/src\/(?:protocol\/(?:composer|entries\/files|text\/(?:json|name|record)|tools\/command-in-words)\.ts|text\/(?:agent|clock\.svelte|tool-name)\.ts|state\/(?:hub\/page-key|page\/page-history)\.ts|frame\/(?:keys\/keys\.ts|pane\.ts|Icon\.svelte)|lightbox\/pictures\.ts|list\/AgentMark\.svelte|timeline\/(?:parts\/(?:Content|PlainText)|rows\/(?:MessageLink|Ticks))\.svelte)$/

/** What fields need of it, which come later. */
const FIELDS = /\/svelte\/src\/internal\/client\/dom\/elements\/bindings\/input\.js$/

/** Small things of which several later parts have need: the page names one file for all of them. */
const COMMON = /\/web\/src\/(?:frame\/(?:menu|first-click|alerts\/alerts)|timeline\/parts\/reachable|beside\/room)\.ts$/

/** A part that comes later and is no longer than this comes hardly sooner when it is compressed. */
const SHORT_BYTES = 8192
const TEXT = /\.(?:js|css|html|svg|webmanifest)$/

const notices = pageNotices('page-notices.txt')

export default defineConfig({
  root: 'web',
  plugins: [
    svelte({ configFile: false }),
    lexerOnly(),
    colouringAsModule(),
    styleAfterSkeleton(),
    offlineShell(),
    precompress(),
    notices.page,
  ],
  worker: { format: 'es', plugins: () => [colouringAsModule(), notices.worker] },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // The page's CSP allows no inline script, and every browser of the target preloads modules by itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Nobody who starts Parley wants to know which plugin took how long.
      checks: { bundlerTimings: false },
      // Schemas come with what checks by them, and not with every constant beside them.
      treeshake: {
        moduleSideEffects: [/\/src\/protocol\//, FIELDS].map((test) => ({ test, sideEffects: false })),
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'fields', test: FIELDS, priority: 1, includeDependenciesRecursively: false },
            { name: 'first', test: (id) => OF_OTHERS.test(id) || SHARED.test(id) },
            { name: 'common', test: COMMON },
          ],
        },
      },
    },
  },
})

/**
 * Writes `.br` and `.gz` beside the text files, so the hub compresses nothing while it serves; not beside short ones that
 * the page does not name itself, because each file takes its time where Parley is installed.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: { sequential: true, order: 'post', handler: ({ dir = '' }) => all(dir) },
  }

  async function all(dir: string) {
    const page = await readFile(join(dir, 'index.html'), 'utf8')
    const files = (await readdir(dir, { recursive: true })).filter((file) => TEXT.test(file))
    await Promise.all(
      files.map((file) => both(join(dir, file), file === 'index.html' || page.includes(basename(file)))),
    )
  }

  async function both(file: string, isFirst: boolean) {
    const content = await readFile(file)
    if (content.length <= SHORT_BYTES && !isFirst) return
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
