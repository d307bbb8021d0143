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
  // One for each core: with one more, what is drawn late is taken for what never came.
  workers: 2,
  fullyParallel: true,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: findHeadlessChromium(), args },
  },
})
