import type { Theme } from '../state/page/settings.svelte.ts'

const PAGE = { light: '#faf9f6', dark: '#1a1917' }

/** The page and the frame that a browser draws around it. */
export function showTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = PAGE[theme === 'system' ? own : theme]
  }
}
