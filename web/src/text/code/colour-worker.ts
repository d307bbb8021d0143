import hljs from 'highlight.js/lib/core'
import { reached } from '../../state/hub/reached.ts'
import type { Language } from './language-names.ts'
import { loadLanguage } from './languages.ts'

export interface Code {
  text: string
  language: Language
}

/** That it begins, when nothing is left to be loaded, and then how it ended. */
export type Coloured = 'begun' | { html: string | undefined }

addEventListener('message', async ({ data }: MessageEvent<Code>) => {
  const html = (await reached(known(data.language))) ? coloured(data) : undefined
  postMessage({ html } satisfies Coloured)
})

async function known(language: Language): Promise<true> {
  if (!hljs.getLanguage(language)) hljs.registerLanguage(language, await loadLanguage(language))
  return true
}

function coloured({ text, language }: Code): string {
  postMessage('begun' satisfies Coloured)
  return hljs.highlight(text, { language, ignoreIllegals: true }).value
}
