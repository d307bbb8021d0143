import './colour.css'
import hljs from 'highlight.js/lib/core'
import { languageOf } from './language-names.ts'
import { loadLanguage } from './languages.ts'
import { linesOf, spansOf } from './spans.ts'

/** The code with a class for each kind of word; undefined when its language is not known. */
export async function colour(text: string, name: string): Promise<DocumentFragment | undefined> {
  const html = await colouredHtml(text, name)
  return html === undefined ? undefined : spansOf(html)
}

/** The same, line by line. */
export async function colourLines(text: string, name: string): Promise<DocumentFragment[] | undefined> {
  const html = await colouredHtml(text, name)
  return html === undefined ? undefined : linesOf(html).map(spansOf)
}

async function colouredHtml(text: string, name: string): Promise<string | undefined> {
  const language = languageOf(name)
  if (!language) return undefined
  if (!hljs.getLanguage(language)) hljs.registerLanguage(language, await loadLanguage(language))
  return hljs.highlight(text, { language, ignoreIllegals: true }).value
}
