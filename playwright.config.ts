import { defineConfig } from '@playwright/test'
import { findHeadlessChromium } from './scripts/chromium.mjs'

/**
 * A page lives for a second or two, and its next one has the same scripts: to compile a function again or for speed is
 * seldom worth it, and neither is to look for garbage early.
 */
const scriptFlags = [
  '--no-flush-bytecode',
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=20000',
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--no-memory-reducer',
]
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Tabs of one browser share a process, and with it what is compiled: to start one takes as long as a page in it.
  '--process-per-site',
  `--js-flags=${scriptFlags.join(',')}`,
]

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './scripts/run-folder.ts',
  // Node itself takes the types out of sources; Babel would need three times as long, before the first test begins.
  build: { external: ['**/*.ts'] },
  // Some wait while others draw, so that one more than the machine has cores keeps it busy.
  workers: 3,
  fullyParallel: true,
  // For a machine that is busy with something else, too.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: findHeadlessChromium(), args },
  },
})
