import { crc32, deflateSync } from 'node:zlib'

/** What is drawn over the frame before, which stays. */
export interface Frame {
  x: number
  y: number
  width: number
  height: number
  /** Red, green, blue and alpha of each, row by row. */
  pixels: Buffer
  /** The time that it stands. */
  ms: number
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const EIGHT_BITS_WITH_ALPHA = Buffer.from([8, 6, 0, 0, 0])
const BYTES_OF_PIXEL = 4
const OVER = [0, 1]

/** One PNG that moves, again and again: the first frame has its whole size. */
export function animated(frames: Frame[]): Buffer {
  const [first] = frames
  if (!first) throw new Error('A picture has at least one frame')
  let sequence = 0
  const parts = frames.map((frame, n) => {
    const { x, y, width, height, ms } = frame
    const end = Buffer.alloc(6)
    end.writeUInt16BE(ms, 0)
    end.writeUInt16BE(1000, 2)
    end.set(OVER, 4)
    const control = chunk('fcTL', words(sequence++, width, height, x, y), end)
    const data = packed(frame)
    return Buffer.concat([control, n === 0 ? chunk('IDAT', data) : chunk('fdAT', words(sequence++), data)])
  })
  const forEver = 0
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', words(first.width, first.height), EIGHT_BITS_WITH_ALPHA),
    chunk('acTL', words(frames.length, forEver)),
    ...parts,
    chunk('IEND'),
  ])
}

/** Rows as they are: pictures of a page pack best without a filter. */
function packed({ width, height, pixels }: Frame): Buffer {
  const row = width * BYTES_OF_PIXEL
  const plain = Buffer.from([0])
  const rows = Array.from({ length: height }, (_, n) => [plain, pixels.subarray(n * row, (n + 1) * row)])
  return deflateSync(Buffer.concat(rows.flat()), { level: 9, memLevel: 9 })
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), ...parts])
  return Buffer.concat([words(named.length - 4), named, words(crc32(named))])
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}
