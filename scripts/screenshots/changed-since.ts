import type { Page } from '@playwright/test'
import type { Frame } from './apng.ts'

type Changed = Omit<Frame, 'ms'>

/** What has changed from one picture to the next, with nothing where nothing has; compared by a browser. */
export async function changedSince(
  page: Page,
  before: Buffer | undefined,
  after: Buffer,
): Promise<Changed | undefined> {
  const pictures = [before, after].map((png) => png && `data:image/png;base64,${png.toString('base64')}`)
  const changed = await page.evaluate(compare, pictures)
  return changed && { ...changed, pixels: Buffer.from(changed.pixels, 'base64') }
}

/** Runs in the page. Squares change as wholes: letters with holes in them pack badly. */
async function compare([before, after]: (string | undefined)[]) {
  const square = 16
  const now = await pixelsOf(after)
  if (!now) return undefined
  const { data, width, height } = now
  const then = (await pixelsOf(before))?.data
  const changed = new Set<number>()
  const columns = Math.ceil(width / square)
  for (let at = 0; at < data.length; at += 4)
    if (!then || [0, 1, 2].some((part) => data[at + part] !== then[at + part])) changed.add(squareAt(at))
  if (changed.size === 0) return undefined
  for (let at = 0; at < data.length; at += 4) if (!changed.has(squareAt(at))) data.fill(0, at, at + 4)
  const across = Array.from(changed, (n) => (n % columns) * square)
  const down = Array.from(changed, (n) => Math.floor(n / columns) * square)
  const [x, y] = [Math.min(...across), Math.min(...down)]
  const right = Math.min(width, Math.max(...across) + square)
  const bottom = Math.min(height, Math.max(...down) + square)
  const rows = Array.from({ length: bottom - y }, (_, n) => ((y + n) * width + x) * 4)
  const part = new Blob(rows.map((from) => data.slice(from, from + (right - x) * 4)))
  const pixels = new Uint8Array(await part.arrayBuffer()).toBase64()
  return { x, y, width: right - x, height: bottom - y, pixels }

  function squareAt(at: number) {
    const pixel = at / 4
    return Math.floor(pixel / width / square) * columns + Math.floor((pixel % width) / square)
  }

  async function pixelsOf(url: string | undefined) {
    if (url === undefined) return undefined
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return context?.getImageData(0, 0, bitmap.width, bitmap.height)
  }
}
