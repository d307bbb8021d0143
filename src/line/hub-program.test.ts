import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { hubNode, hubProgram } from './hub-program.ts'

const CAME_ALONG = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

/** As if this were another Node. */
function asNode(version: string) {
  const own = process.versions
  Object.defineProperty(process, 'versions', { value: { ...own, node: version }, configurable: true })
  onTestFinished(() => void Object.defineProperty(process, 'versions', { value: own, configurable: true }))
}

test.each(['24.15.0', '24.16.0', '25.0.0', '26.10.0'])('[C77] Node %s runs a hub itself', (version) => {
  asNode(version)
  expect(hubNode()).toBe(process.execPath)
})

test.runIf(existsSync(CAME_ALONG)).each(['24.14.9', '23.20.0', '20.0.0'])(
  '[C77] instead of Node %s the one that came along does',
  (version) => {
    asNode(version)
    expect(hubNode()).toBe(CAME_ALONG)
  },
)

test('[C75] the hub of a line that was not built is the one beside it', () => {
  expect(hubProgram()).toBe(fileURLToPath(new URL('../hub/background.ts', import.meta.url)))
})
