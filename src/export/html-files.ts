import { type Attachment, IMAGE_MIMES } from '../protocol/attachment.ts'
import { sizeInWords } from '../protocol/size.ts'
import type { Contents, Piece } from './exports.ts'
import { escaped } from './safe-html.ts'

/**
 * The files of one HTML export, each content once: where it comes again, a link leads to the first place. All of them are
 * in it, because every browser takes what a file may have: 20 MiB are 28 MB as Base64, and Firefox ends at 32 MB.
 */
export function createHtmlFiles(contents: Contents) {
  const places = new Map<string, string>()
  return function written(files: Attachment[]): Piece[] {
    if (files.length === 0) return []
    const images = files.filter(isDrawn)
    const others = files.filter((file) => !isDrawn(file))
    return ['<div class="files">', ...[...images, ...others].flatMap(one), '</div>']
  }

  function one(file: Attachment): Piece[] {
    const first = places.get(file.hash)
    if (first) return [`<a class="file" href="#${first}">${words(file, 'the same as above')}</a>`]
    const content = contents.base64(file.hash)
    if (!content) return [`<p class="file missing">${words(file, 'missing when this was exported')}</p>`]
    const place = `file-${places.size + 1}`
    places.set(file.hash, place)
    return isDrawn(file) ? image(file, place, content) : link(file, place, content)
  }
}

function image({ name, mime, size, width, height }: Attachment, place: string, content: Piece): Piece[] {
  const about = `alt="${escaped(name)}" width="${width}" height="${height}" decoding="async"`
  const caption = `<figcaption><bdi>${escaped(name)}</bdi>, ${sizeInWords(size)}</figcaption>`
  return [`<figure id="${place}"><img ${about} src="data:${mime};base64,`, content, `">${caption}</figure>`]
}

/** Of no kind that a browser would open, whatever it is. */
function link(file: Attachment, place: string, content: Piece): Piece[] {
  const about = `class="file" id="${place}" download="${escaped(file.name)}"`
  return [`<a ${about} href="data:application/octet-stream;base64,`, content, `">${words(file)}</a>`]
}

function words({ name, size }: Attachment, note = ''): string {
  const facts = `${sizeInWords(size)}${note && `, ${note}`}`
  return `<span><bdi>${escaped(name)}</bdi> <small>${facts}</small></span>`
}

function isDrawn({ mime, width }: Attachment): boolean {
  return width !== undefined && IMAGE_MIMES.some((drawn) => drawn === mime)
}
