import type { Attachment } from '../protocol/entries/attachment.ts'
import { IMAGE_MIMES } from '../protocol/text/mime.ts'
import { sizeInWords } from '../protocol/text/size.ts'
import type { Piece } from './pieces.ts'
import { escaped } from './safe-html.ts'
import type { Contents } from './writer.ts'

/**
 * The files of one HTML export, each content once: where it comes again, a link leads to the first place. All of them are
 * in it, because every browser takes what a file may have: 20 MiB are 28 MB as Base64, and the lowest limit for an address,
 * that of Firefox before 136, is 32 MB.
 */
export function createHtmlFiles(contents: Contents) {
  const places = new Map<string, string>()
  return function written(files: Attachment[]): Piece[] {
    if (files.length === 0) return []
    const images: Piece[] = []
    const others: Piece[] = []
    for (const file of files) {
      const content = places.has(file.hash) ? undefined : contents.base64(file.hash)
      if (!content) others.push(mentioned(file))
      else if (isDrawn(file)) images.push(...image(file, placeOf(file), content))
      else others.push(...link(file, placeOf(file), content))
    }
    const drawn = images.length > 0 ? ['<div class="images">', ...images, '</div>'] : []
    return ['<div class="files">', ...drawn, ...others, '</div>']
  }

  function placeOf({ hash }: Attachment): string {
    const place = `file-${places.size + 1}`
    places.set(hash, place)
    return place
  }

  function mentioned(file: Attachment): string {
    const first = places.get(file.hash)
    if (first) return `<a class="file" href="#${first}">${words(file, 'the same as above')}</a>`
    return `<p class="file missing">${words(file, 'missing when this was exported')}</p>`
  }
}

function image({ name, mime, size, width, height }: Attachment, place: string, content: Piece): Piece[] {
  const about = `alt="${escaped(name)}" width="${width}" height="${height}"`
  const caption = `<figcaption><bdi>${escaped(name)}</bdi>, ${sizeInWords(size)}</figcaption>`
  return [`<figure id="${place}"><img ${about} src="data:${mime};base64,`, content, `">${caption}</figure>`]
}

/** The link has a type that no browser opens, whatever the file is. */
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
