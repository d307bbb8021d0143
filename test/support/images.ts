import { crc32, deflateSync } from 'node:zlib'

/** A whole PNG of one colour, and of a size of its own with each name. */
export function png(width: number, height: number, [red, green, blue] = [15, 110, 102]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) {
    // The picture is not quite one colour, so that a person sees its edges.
    const fade = 0.7 + (0.3 * x) / width
    row.set(
      [red ?? 0, green ?? 0, blue ?? 0].map((part) => Math.round(part * fade)),
      1 + x * 3,
    )
  }
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
