import type { ImageMime } from '../protocol/text/mime.ts'

export interface ImageFacts {
  mime: ImageMime
  width: number
  height: number
}

/** How much of a file tells: before its size, a JPEG may carry a preview and profiles. */
export const HEADER_BYTES = 256 * 1024

/** What the first bytes of a file say, if they are those of an image that browsers draw. Never what its name says. */
export function imageIn(header: Buffer): ImageFacts | undefined {
  const image = png(header) ?? gif(header) ?? webp(header) ?? jpeg(header)
  return image && image.width > 0 && image.height > 0 ? image : undefined
}

function png(header: Buffer): ImageFacts | undefined {
  if (header.length < 24 || header.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  if (header.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { mime: 'image/png', width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

function gif(header: Buffer): ImageFacts | undefined {
  if (header.length < 10 || !/^GIF8[79]a$/.test(header.toString('latin1', 0, 6))) return undefined
  return { mime: 'image/gif', width: header.readUInt16LE(6), height: header.readUInt16LE(8) }
}

/** Three formats of one name: lossy, lossless, and extended with a canvas of its own. */
function webp(header: Buffer): ImageFacts | undefined {
  if (header.length < 30 || header.toString('latin1', 0, 4) !== 'RIFF') return undefined
  const format = header.toString('latin1', 8, 16)
  const mime = 'image/webp'
  if (format === 'WEBPVP8 ') {
    return { mime, width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff }
  }
  if (format === 'WEBPVP8L') {
    const bits = header.readUInt32LE(21)
    return { mime, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (format !== 'WEBPVP8X') return undefined
  return { mime, width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 }
}

/** The most segments, and bytes between them. Pictures have some dozens; each costs time whatever its length. */
const MOST_STEPS = 500
const EXIF = 0xe1
const ORIENTATION = 0x0112
const FIELD_BYTES = 12

/** A chain of segments; the one that starts the frame has the sides, as they are stored. */
function jpeg(header: Buffer): ImageFacts | undefined {
  if (header.length < 4 || header.readUInt16BE(0) !== 0xffd8) return undefined
  let turned: boolean | undefined
  for (let at = 2, steps = 0; at + 9 < header.length && steps < MOST_STEPS; steps++) {
    if (header[at] !== 0xff) return undefined
    const marker = header.readUInt8(at + 1)
    const length = header.readUInt16BE(at + 2)
    if (startsFrame(marker)) {
      const [height, width] = [header.readUInt16BE(at + 5), header.readUInt16BE(at + 7)]
      return { mime: 'image/jpeg', ...(turned ? { width: height, height: width } : { width, height }) }
    }
    // The first one counts, for browsers too.
    if (marker === EXIF) turned ??= isTurned(header.subarray(at + 4, at + 2 + length))
    // Any number of these may stand before a marker.
    at += marker === 0xff ? 1 : 2 + length
  }
  return undefined
}

function startsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Phones store pictures lying on their side and say so in Exif; browsers turn them. */
function isTurned(exif: Buffer): boolean | undefined {
  if (exif.length < 16 || exif.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = exif.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  // As many fields are read as it says, and as there are bytes for.
  const end = Math.min(first + 2 + short(first) * FIELD_BYTES, tiff.length)
  for (let field = first + 2; field < end; field += FIELD_BYTES) {
    if (short(field) === ORIENTATION) return short(field + 8) >= 5 && short(field + 8) <= 8
  }
  return false
}
