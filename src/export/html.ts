import { createHash } from 'node:crypto'
import type { Entry } from '../protocol/entries/entry.ts'
import { kindOf, typeOf } from '../protocol/text/mime.ts'
import { prettyJson } from '../protocol/text/pretty-json.ts'
import { createDays, dayOf, timeOf, ZONE } from './dates.ts'
import { createHtmlFiles } from './html-files.ts'
import { STYLE } from './html-style.ts'
import type { Piece } from './pieces.ts'
import { asIs, escaped, safeHtml } from './safe-html.ts'
import { createTelling, type Told } from './telling.ts'
import type { About, Contents, Writer } from './writer.ts'

type Words = Extract<Told, { as: 'words' }>

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** One file that needs nothing else: nothing in it loads or runs, whatever was said. */
export function htmlWriter(contents: Contents): Writer {
  const dayOfNext = createDays()
  const tell = createTelling()
  const filesOf = createHtmlFiles(contents)
  return { begin, entry, end: () => ['</main>\n</body>\n</html>\n'] }

  function begin({ id, title, exportedAt }: About): string {
    const when = `${dayOf(exportedAt)}, ${timeOf(exportedAt)} (${ZONE})`
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Parley">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>The conversation ${escaped(id)} in Parley, exported on ${escaped(when)}</p>
</header>
<main>
`
  }

  function entry(entry: Entry): Piece[] {
    const told = tell(entry)
    if (!told) return []
    const day = dayOfNext(entry.at)
    return [day ? `<h2>${day}</h2>\n` : '', ...written(told, entry.at, filesOf(told.files)), '\n']
  }
}

function written(told: Told, at: number, files: Piece[]): Piece[] {
  const time = `<time datetime="${new Date(at).toISOString()}">${timeOf(at)}</time>`
  if (told.as === 'note')
    return [`<p class="note${told.bad ? ' bad' : ''}">${time} ${escaped(told.text)}</p>`, ...files]
  if (told.as === 'deed') {
    const summary = `${escaped(told.by)} ${escaped(told.label)}, ${time}`
    return [`<details><summary>${summary}</summary>${asIs(told.text)}</details>`, ...files]
  }
  const options = (told.options ?? []).map((option) => `<li>${escaped(option)}</li>`).join('')
  const list = options && `<ul class="options">${options}</ul>`
  const head = `<p class="head"><b>${escaped(told.by)}</b> ${time}</p>`
  const text = content(told) + list
  return [`<article class="${told.side}">${head}${text && `<div class="text">${text}</div>`}`, ...files, '</article>']
}

function content(said: Words): string {
  const { text, by, mime } = said
  if (text.trim() === '') return ''
  const kind = kindOf(said)
  if (kind === 'markdown') return safeHtml(text)
  // Images are only ever an `<img>`: in there an SVG neither runs its scripts nor loads anything.
  if (kind === 'image')
    return `<img alt="Image from ${escaped(by)}" src="data:${typeOf(mime)};base64,${text.replace(/\s/g, '')}">`
  return asIs(kind === 'json' ? (prettyJson(text) ?? text) : text)
}
