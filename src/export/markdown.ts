import type { Attachment } from '../protocol/entries/attachment.ts'
import type { Entry } from '../protocol/entries/entry.ts'
import { kindOf, typeOf } from '../protocol/text/mime.ts'
import { prettyJson } from '../protocol/text/pretty-json.ts'
import { sizeInWords } from '../protocol/text/size.ts'
import { createDays, dayOf, timeOf, ZONE } from './dates.ts'
import type { Piece } from './pieces.ts'
import { fenced, inline, safeMarkdown } from './safe-markdown.ts'
import { createTelling, type Told } from './telling.ts'
import type { About, Contents, Writer } from './writer.ts'

/**
 * Markdown for people and for other programs. Messages are quoted, so that nothing in them can pass for a part of the
 * file.
 */
export function markdownWriter(contents: Contents): Writer {
  const dayOfNext = createDays()
  const tell = createTelling()
  return { begin, entry, end: () => [] }

  function begin({ id, title, exportedAt }: About): string {
    const when = `${dayOf(exportedAt)}, ${timeOf(exportedAt)} (${inline(ZONE)})`
    return `# ${inline(title)}\n\nThe conversation ${inline(id)} in Parley, exported on ${when}.\n`
  }

  function entry(entry: Entry): Piece[] {
    const told = tell(entry)
    if (!told) return []
    const day = dayOfNext(entry.at)
    const files = told.files.map((file) => `\n${named(file)}`).join('')
    return [`${day ? `\n## ${day}\n` : ''}\n${written(told, timeOf(entry.at))}\n${files && `${files}\n`}`]
  }

  /** File names stand below the quotation: within it, everybody could write such a line. */
  function named({ hash, name, size }: Attachment): string {
    const where = contents.base64(hash) ? 'in the HTML and JSON exports' : 'missing'
    return `- Attached: ${inline(name)} (${sizeInWords(size)}), which is ${where}`
  }
}

function written(told: Told, time: string): string {
  if (told.as === 'note') return `*${time}* ${inline(told.text)}`
  if (told.as === 'deed') return `**${inline(told.by)}** ${inline(told.label)}, ${time}\n\n${quoted(fenced(told.text))}`
  const options = (told.options ?? []).map((option) => `\n- ${inline(option)}`).join('')
  const head = `**${inline(told.by)}**, ${time}`
  const words = content(told) + (options && `\n${options}`)
  return words === '' ? head : `${head}\n\n${quoted(words)}`
}

function content(said: Extract<Told, { as: 'words' }>): string {
  const { text, mime } = said
  const kind = kindOf(said)
  if (kind === 'image') return `*An image (${typeOf(mime)}), which is in the HTML and JSON exports.*`
  if (kind === 'markdown') return safeMarkdown(text)
  return kind === 'json' ? fenced(prettyJson(text) ?? text, 'json') : fenced(text)
}

/** Every line, by whatever ends one: a single one without the mark would end the quotation. */
function quoted(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
