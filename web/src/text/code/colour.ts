import './colour.css'
import { createColouring } from './colouring.ts'
import { languageOf } from './language-names.ts'
import { linesOf, spansOf } from './spans.ts'

const colouring = createColouring()

/** The code with a class for each kind of word; undefined when its language is not known, or it takes too long. */
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
  return language && (await colouring.html({ text, language }))
}
