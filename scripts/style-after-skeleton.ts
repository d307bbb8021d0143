import type { Plugin } from 'vite'

const STYLE = /\s*<link rel="stylesheet"[^>]*href="\/assets\/[^>]*>/g

/** A style in the head keeps everything from being drawn; below the skeleton it keeps back only what comes after that. */
export function styleAfterSkeleton(): Plugin {
  return {
    name: 'style-after-skeleton',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: move },
  }
}

function move(html: string): string {
  const styles = html.match(STYLE) ?? []
  if (styles.length === 0) throw new Error('The page has no style of its own to move')
  return html.replaceAll(STYLE, '').replace('<div id="app">', `${styles.join('').trim()}\n    <div id="app">`)
}
