import type { Mime } from '../../../src/protocol/text.ts'
import { codeFrame } from './frame.ts'
import { prettyJson } from './json.ts'
import { gist, render } from './markdown.ts'
import type { Memory } from './memory.ts'
import { plain } from './plain.ts'

const GIST = 400
/** Beyond this it is not worth the time to indent it. */
const LONGEST_JSON = 200_000

/** What was said, drawn as its kind asks for. */
export function draw(text: string, mime: Mime = 'text/markdown', by: string, memory: Memory): DocumentFragment {
  if (mime === 'text/markdown') return render(text, memory)
  if (mime === 'text/plain') return plain(text, memory)
  if (mime === 'application/json') return json(text, memory)
  return image(text, mime, by)
}

/** One line of it, for ears and lists. */
export function gistOf(text: string, mime: Mime = 'text/markdown'): string {
  if (mime === 'text/markdown') return gist(text)
  return mime.startsWith('image/') ? 'an image' : text.slice(0, GIST).replace(/\s+/g, ' ').trim()
}

function json(text: string, memory: Memory): DocumentFragment {
  const pretty = text.length > LONGEST_JSON ? undefined : prettyJson(text)
  if (pretty === undefined) return plain(text, memory)
  const fragment = document.createDocumentFragment()
  fragment.append(codeFrame({ text: pretty, language: 'json', memory }))
  return fragment
}

/** Only ever an `<img>`: in there an SVG neither runs its scripts nor loads anything. */
function image(base64: string, mime: Mime, by: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const picture = document.createElement('img')
  picture.alt = by ? `Image from ${by}` : 'Image'
  picture.src = `data:${mime};base64,${base64}`
  fragment.append(picture)
  return fragment
}
