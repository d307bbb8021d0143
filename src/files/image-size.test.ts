import { expect, test, vi } from 'vitest'
import { png } from '../../test/support/images.ts'
import { imageIn } from './image-size.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const FRAME = bytes([0xff, 0xc0, 0, 17, 8, 0, 48, 0, 64, 3], '\0'.repeat(20))
const exif = (orientation: number) =>
  bytes(
    [0xff, 0xe1, 0, 34],
    'Exif\0\0',
    'MM',
    [0, 42, 0, 0, 0, 8, 0, 1],
    [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    [0, 0, 0, 0],
  )
const JFIF = bytes([0xff, 0xe0, 0, 16], 'JFIF\0', '\0'.repeat(9))

test('[F3] the sides of an image are read from its bytes', () => {
  expect(imageIn(png(640, 480))).toEqual({ mime: 'image/png', width: 640, height: 480 })
  const gif = bytes('GIF89a', [64, 1, 200, 0], '\0'.repeat(8))
  expect(imageIn(gif)).toEqual({ mime: 'image/gif', width: 320, height: 200 })
  const lossy = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', '\0'.repeat(10), [64, 1, 200, 0])
  expect(imageIn(lossy)).toEqual({ mime: 'image/webp', width: 320, height: 200 })
  const lossless = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', '\0'.repeat(4), [0x2f, 0x3f, 0xc1, 0x31, 0, 0, 0, 0, 0, 0])
  expect(imageIn(lossless)).toEqual({ mime: 'image/webp', width: 320, height: 200 })
  const extended = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', '\0'.repeat(8), [63, 1, 0, 199, 0, 0])
  expect(imageIn(extended)).toEqual({ mime: 'image/webp', width: 320, height: 200 })
})

test('[F3] a JPEG has the sides it is shown with: one that lies on its side is turned', () => {
  const jpeg = (...segments: Buffer[]) => imageIn(Buffer.concat([bytes([0xff, 0xd8]), ...segments, FRAME]))
  expect(jpeg(JFIF)).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
  expect(jpeg(JFIF, exif(1))).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
  expect(jpeg(exif(6))).toEqual({ mime: 'image/jpeg', width: 48, height: 64 })
  // Fill bytes may stand before any marker.
  expect(jpeg(JFIF, bytes([0xff, 0xff]))).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
})

test('[F3] what is cut, empty or something else is no image, and breaks nothing', () => {
  const whole = [png(3, 3), bytes('GIF89a', [1, 0, 1, 0]), Buffer.concat([bytes([0xff, 0xd8]), exif(6), FRAME])]
  for (const image of whole)
    for (let length = 0; length <= image.length; length++)
      expect(() => imageIn(image.subarray(0, length))).not.toThrow()
  expect(imageIn(png(0, 0))).toBeUndefined()
  expect(imageIn(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBeUndefined()
  expect(imageIn(Buffer.concat([bytes([0xff, 0xd8]), Buffer.alloc(5000, 0xff)]))).toBeUndefined()
  expect(
    imageIn(bytes([0xff, 0xd8], [0xff, 0xe1, 0, 20], 'Exif\0\0MM', [0, 42, 0xff, 0xff, 0xff, 0xff], '\0'.repeat(30))),
  ).toBeUndefined()
})

test('[F25] however often a JPEG has its Exif, and whatever that says of itself, no byte is looked at twice', () => {
  const many = bytes([0xff, 0xe1, 0, 34], 'Exif\0\0MM', [0, 42, 0, 0, 0, 8, 0xff, 0xff], '\0'.repeat(16))
  const image = Buffer.concat([bytes([0xff, 0xd8]), ...Array.from({ length: 400 }, () => many), FRAME])
  const looks = vi.spyOn(Buffer.prototype, 'readUInt16BE')
  expect(imageIn(image)).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
  expect(looks.mock.calls.length).toBeLessThan(image.length / 2)
  looks.mockClear()
  const long = bytes([0xff, 0xe1, 0xff, 0xff], 'Exif\0\0MM', [0, 42, 0, 0, 0, 8, 0xff, 0xff], '\0'.repeat(65_517))
  const longs = Buffer.concat([bytes([0xff, 0xd8]), long, long, long, FRAME])
  expect(imageIn(longs)).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
  expect(looks.mock.calls.length).toBeLessThan(longs.length / 2)
  looks.mockRestore()
})

test('[S191] of a JPEG 500 segments are looked at, and bytes between them: what has more has no size', () => {
  const jpegOf = (segment: Buffer, count: number) => {
    return Buffer.concat([bytes([0xff, 0xd8]), ...Array.from({ length: count }, () => segment), FRAME])
  }
  const looks = vi.spyOn(Buffer.prototype, 'readUInt16BE')
  for (const segment of [
    bytes([0xff, 0xe1, 0, 2]),
    bytes([0xff, 0xe1, 0, 18], 'Exif\0\x01', '\0'.repeat(10)),
    bytes([0xff]),
  ]) {
    expect(imageIn(jpegOf(segment, 490))).toEqual({ mime: 'image/jpeg', width: 64, height: 48 })
    looks.mockClear()
    expect(imageIn(jpegOf(segment, 20_000))).toBeUndefined()
    expect(looks.mock.calls.length).toBeLessThan(600)
  }
  looks.mockRestore()
})
