import './colour.css'
import hljs from 'highlight.js/lib/core'
import { languageOf, loadLanguage } from './languages.ts'
import { spansOf } from './spans.ts'

/** The code with a class for each kind of word; undefined when its language is not known. */
export async function colour(text: string, name: string): Promise<DocumentFragment | undefined> {
  const language = languageOf(name)
  if (!language) return undefined
  if (!hljs.getLanguage(language)) {
    const definition = await loadLanguage(language)
    if (!definition) return undefined
    hljs.registerLanguage(language, definition)
  }
  return spansOf(hljs.highlight(text, { language, ignoreIllegals: true }).value)
}
