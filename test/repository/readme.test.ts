import { readFileSync } from 'node:fs'
import { crc32, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { animated } from '../../scripts/screenshots/apng.ts'

const MOST_BYTES = 600_000
const PICTURE = 'docs/images/asking.png'

const README = readFileSync('README.md', 'utf8')
const [beginning = ''] = README.split('\n## ')

test('[U496] the README begins with one command, and names parley only once it is installed', () => {
  expect([...beginning.matchAll(/```sh\n([^`]*)```/g)].map(([, commands = '']) => commands.trim().split('\n'))).toEqual(
    [[expect.stringMatching(/^npx parley-hub demo\b/)]],
  )
  const installed = README.indexOf('npm install --global parley-hub')
  expect(README.search(/(?<![\w/-])parley [a-z]/)).toBeGreaterThan(installed)
})

test('[U494] the README begins with a picture that moves, and loads it quickly', () => {
  expect(beginning).toContain(`](${PICTURE})`)
  const picture = readFileSync(PICTURE)
  expect(picture.length).toBeLessThanOrEqual(MOST_BYTES)
  const chunks = [...chunksOf(picture)]
  expect(chunks.filter(({ isWhole }) => !isWhole)).toEqual([])
  expect(chunks.filter(({ name }) => name === 'fcTL').length).toBeGreaterThanOrEqual(8)
})

test('[U494] frames become one picture, in their order, each over the one before', () => {
  const frames = [
    { x: 0, y: 0, width: 3, height: 2, pixels: red(6), ms: 1200 },
    { x: 2, y: 0, width: 1, height: 2, pixels: red(2), ms: 80 },
  ]
  const chunks = [...chunksOf(animated(frames))]
  expect(chunks.map(({ name }) => name)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
  expect(chunks.every(({ isWhole }) => isWhole)).toBe(true)
  const [header, control, first, image, second, change] = chunks.map(({ data }) => data)
  expect(header).toEqual(Buffer.concat([words(3, 2), Buffer.from([8, 6, 0, 0, 0])]))
  expect(control).toEqual(words(2, 0))
  expect(first).toEqual(Buffer.concat([words(0, 3, 2, 0, 0), Buffer.from([0x04, 0xb0, 0x03, 0xe8, 0, 1])]))
  expect(second).toEqual(Buffer.concat([words(1, 1, 2, 2, 0), Buffer.from([0, 80, 0x03, 0xe8, 0, 1])]))
  const row = (pixels: number) => Buffer.concat([Buffer.from([0]), red(pixels)])
  expect(inflateSync(image ?? '')).toEqual(Buffer.concat([row(3), row(3)]))
  expect(change?.readUInt32BE(0)).toBe(2)
  expect(inflateSync(change?.subarray(4) ?? '')).toEqual(Buffer.concat([row(1), row(1)]))
})

/** The chunks of a PNG, in their order. */
function* chunksOf(png: Buffer): Generator<{ name: string; data: Buffer; isWhole: boolean }> {
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    const named = png.subarray(at + 4, end)
    const isWhole = png.readUInt32BE(end) === crc32(named)
    yield { name: named.toString('latin1', 0, 4), data: named.subarray(4), isWhole }
    at = end + 4
  }
}

function red(pixels: number): Buffer {
  return Buffer.from(Array.from({ length: pixels }, () => [255, 0, 0, 255]).flat())
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}
