import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']
export const HEADLESS = 'chromium-headless-shell'
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser the tests use: the one `CHROMIUM_PATH` names, or the first that this machine has. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return [process.env.CHROMIUM_PATH].find(isExecutable)
  return [...PLACES, ...onPath(NAMES)].find(isExecutable)
}

/** The same without what is only for a screen and a viewer of documents, where there is one: it takes a third less time. */
export function findHeadlessChromium() {
  return (process.env.CHROMIUM_PATH ? [] : onPath([HEADLESS])).find(isExecutable) ?? findChromium()
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
