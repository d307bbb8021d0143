import { isBytes, typeOf } from '../../../../src/protocol/text/mime.ts'
import { sizeInWords } from '../../../../src/protocol/text/size.ts'
import { visible } from '../visible.ts'
import { make } from './make.ts'
import { type Memory, within } from './memory.ts'
import { plain } from './plain.ts'
import type { Said } from './said.ts'

const TEXT = 'text'
/** Browsers read it some time after they were asked to. */
const SAVED_MS = 60_000

/** Something of a type that is not known here: what it is, a button to save it, and its text for whoever wants that. */
export function fileCard(said: Said, memory: Memory): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const card = make('div')
  card.className = 'file-card'
  const content = isBytes(said) ? bytesIn(said.text) : said.text
  const blob = new Blob([content], { type: 'application/octet-stream' })
  const save = make('button')
  save.type = 'button'
  save.textContent = 'Save'
  save.addEventListener('click', () => saveAs(blob, nameOf(said)))
  card.append(words('type', typeOf(said.mime)), words('size', sizeInWords(blob.size)), save)
  fragment.append(card, asText(said.text, memory))
  return fragment
}

function asText(text: string, memory: Memory): HTMLElement {
  const details = make('details')
  const summary = make('summary')
  summary.textContent = 'Show as text'
  details.append(summary)
  // Drawn when somebody wants to see it.
  const show = () => details.append(plain(text, within(memory, TEXT)))
  details.open = memory.has(TEXT)
  if (details.open) show()
  details.addEventListener('toggle', () => {
    if (details.open && !memory.has(TEXT)) show()
    else if (!details.open) details.replaceChildren(summary)
    memory.put(TEXT, details.open)
  })
  return details
}

function words(name: string, text: string): HTMLElement {
  const part = make('bdi')
  part.className = name
  part.textContent = visible(text)
  return part
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

function saveAs(blob: Blob, name: string) {
  const link = make('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS)
}

/** Its ending is that of its type, where that looks like one. */
function nameOf({ id, mime }: Said): string {
  const last = typeOf(mime).split(/[/+]/).at(-1) ?? ''
  const ending = /^[a-z\d]{1,8}$/.test(last) ? last : 'bin'
  return `message${id ? `-${id.replace(/^0+/, '')}` : ''}.${ending}`
}
