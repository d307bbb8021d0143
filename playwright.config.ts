import { defineConfig } from '@playwright/test'
import { findHeadlessChromium } from './scripts/chromium.mjs'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
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
