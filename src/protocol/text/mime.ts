/** What browsers draw and never run. An SVG is a document with scripts, so that it is none of them. */
export const IMAGE_MIMES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export const PDF_MIME = 'application/pdf'
export type ImageMime = (typeof IMAGE_MIMES)[number]

/** How a message is shown; a `file` is of a type that Parley does not know. */
export type Kind = 'markdown' | 'plain' | 'json' | 'xml' | 'image' | 'file'

interface Said {
  text: string
  /** Markdown when absent. */
  mime?: string
}

const DRAWN: readonly string[] = [...IMAGE_MIMES, 'image/svg+xml']
/** One class alone, so that no text takes long. */
const BASE64 = /^[a-z\d+/=\s]+$/i

export function kindOf({ text, mime }: Said): Kind {
  const type = typeOf(mime)
  if (type === 'text/markdown') return 'markdown'
  if (DRAWN.includes(type) && BASE64.test(text)) return 'image'
  if (isJson(type)) return 'json'
  if (/[/+]xml$/.test(type)) return 'xml'
  return type.startsWith('text/') || DRAWN.includes(type) ? 'plain' : 'file'
}

/** The type without its parameters. */
export function typeOf(mime = 'text/markdown'): string {
  return (mime.split(';')[0] ?? '').trim().toLowerCase()
}

export function isJson(mime: string): boolean {
  return /[/+]json$/.test(typeOf(mime))
}

/** Whether the text is bytes, as base64, and nothing to read. */
export function isBytes(said: Said): boolean {
  const kind = kindOf(said)
  return kind === 'image' || (kind === 'file' && isPlainlyBase64(said.text.replace(/[\r\n]/g, '')))
}

/** Content of an unknown type may be meant as words. */
function isPlainlyBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[a-z\d+/]+={0,2}$/i.test(text)
}
