import { isBytes, kindOf, typeOf } from '../../../../src/protocol/text/mime.ts'
import { prettyJson } from '../../../../src/protocol/text/pretty-json.ts'
import { unreachable } from '../../../../src/protocol/unreachable.ts'
import { beginsPatch } from '../changes/changes.ts'
import { codeFrame } from '../code/frame.ts'
import { fileCard } from './file-card.ts'
import { gist, render } from './markdown.ts'
import type { Memory } from './memory.ts'
import { plain } from './plain.ts'
import type { Said } from './said.ts'

const GIST = 400
/** Beyond this it is not worth the time to indent it. */
const LONGEST_JSON = 200_000

/** Draws a message as its kind asks for. */
export function draw(said: Said, memory: Memory): DocumentFragment {
  const { text } = said
  const kind = kindOf(said)
  if ((kind === 'markdown' || kind === 'plain') && beginsPatch(text)) return framed(text, 'diff', memory)
  switch (kind) {
    case 'markdown':
      return render(text, memory)
    case 'plain':
      return plain(text, memory)
    case 'json':
      return json(text, memory)
    case 'xml':
      return framed(text, kind, memory)
    case 'image':
      return image(said)
    case 'file':
      return fileCard(said, memory)
    default:
      return unreachable(kind)
  }
}

/** One line of it, for ears and lists. */
export function gistOf(text: string, mime?: string): string {
  const kind = kindOf({ text, mime })
  if (kind === 'markdown') return gist(text)
  if (kind === 'image') return 'an image'
  return isBytes({ text, mime }) ? typeOf(mime) : text.slice(0, GIST).replace(/\s+/g, ' ').trim()
}

function json(text: string, memory: Memory): DocumentFragment {
  const pretty = text.length > LONGEST_JSON ? undefined : prettyJson(text)
  return pretty === undefined ? plain(text, memory) : framed(pretty, 'json', memory)
}

function framed(text: string, language: string, memory: Memory): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(codeFrame({ text, language, memory }))
  return fragment
}

/** Images are only ever an `<img>`: in there an SVG neither runs its scripts nor loads anything. */
function image({ text, mime, by }: Said): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const picture = document.createElement('img')
  picture.alt = by ? `Image from ${by}` : 'Image'
  picture.src = `data:${typeOf(mime)};base64,${text}`
  fragment.append(picture)
  return fragment
}
