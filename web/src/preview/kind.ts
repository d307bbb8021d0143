import type { Attachment } from '../../../src/protocol/entries/attachment.ts'
import { isJson, PDF_MIME } from '../../../src/protocol/text/mime.ts'
import { languageOf } from '../text/code/language-names.ts'

/** Texts that nothing colours, and that browsers have no type for. */
const ENDINGS = 'txt text log csv tsv diff patch env lock properties tex rst adoc srt vtt ipynb gitignore editorconfig'
const TEXTS = new Set(ENDINGS.split(' '))

/** How a file that is no image can be opened in the page; undefined when it can only be downloaded. */
export function previewOf(file: Pick<Attachment, 'name' | 'mime'>): 'text' | 'pdf' | undefined {
  const { mime, name } = file
  if (mime === PDF_MIME) return navigator.pdfViewerEnabled ? 'pdf' : undefined
  const isText = mime.startsWith('text/') || isJson(mime) || /[/+](?:xml|yaml|toml|javascript)$/.test(mime)
  return isText || languageOfFile(name) !== undefined || TEXTS.has(endingOf(name)) ? 'text' : undefined
}

/** The name of its language, as far as its own name tells it. */
export function languageOfFile(name: string): string | undefined {
  return languageOf(endingOf(name))
}

/** The ending of a name without one is the name itself, as of a Makefile. */
function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
