import type { Mime } from '../../../src/protocol/text.ts'
import { dress } from './dress.ts'
import { prettyJson } from './json.ts'
import { gist, LONGEST, plain, render } from './markdown.ts'

const GIST = 400

/** What was said, drawn as its kind asks for. */
export function draw(text: string, mime: Mime = 'text/markdown', by = ''): DocumentFragment {
  if (mime === 'text/markdown') return render(text)
  if (mime === 'text/plain') return plain(text)
  if (mime === 'application/json') return json(text)
  return image(text, mime, by)
}

/** One line of it, for ears and lists. */
export function gistOf(text: string, mime: Mime = 'text/markdown'): string {
  if (mime === 'text/markdown') return gist(text)
  return mime.startsWith('image/') ? 'an image' : text.slice(0, GIST).replace(/\s+/g, ' ').trim()
}

function json(text: string): DocumentFragment {
  const pretty = text.length > LONGEST ? undefined : prettyJson(text)
  if (pretty === undefined) return plain(text)
  const fragment = document.createDocumentFragment()
  const block = document.createElement('pre')
  block.className = 'clamped'
  const code = document.createElement('code')
  code.className = 'language-json'
  code.textContent = pretty
  block.append(code)
  fragment.append(block)
  dress(fragment)
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
