import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../scripts/docs/markdown.ts'

/** The pages are staged by scripts/docs/site.ts, which writes this beside them. */
const { description, nav, sidebar } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'))

// Links that lead nowhere fail the build: that is the default. Nothing is loaded from elsewhere.
export default defineConfig({
  lang: 'en',
  title: 'Parley',
  description,
  srcDir: 'pages',
  outDir: '../dist/site',
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: 'deep',
    nav,
  },
  // Anchors are as on GitHub, where the same links count. Addresses in texts are those of somebody's own hub.
  markdown: { anchor: { slugify: anchorOf }, linkify: false },
  vite: { build: { chunkSizeWarningLimit: 4096 } },
})
