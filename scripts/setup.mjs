// Installs what is missing. Runs before anything is installed, on whatever Node there is: plain JavaScript, Node 20.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findChromium, HEADLESS } from './chromium.mjs'

const OLDEST_NODE = [24, 15]
const root = fileURLToPath(new URL('..', import.meta.url))

installPackages()
checkNode()
if (process.argv.includes('--browser')) installChromium()

function installPackages() {
  const problem = packagesProblem()
  if (!problem) return
  say(`${problem}: running npm ci`)
  // npm forwards its settings to the scripts it runs, so a production setting around us would leave the tools out.
  const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  run('npm', ['ci', ...options, '--loglevel=error'], 'npm ci failed; see above')
}

/** By content, because a clone or a cache gives files any date. Optional packages may be absent: most are for other platforms. */
function packagesProblem() {
  if (!existsSync(`${root}node_modules/.package-lock.json`)) return 'the packages are not installed'
  const wanted = lockedPackages('package-lock.json')
  const installed = lockedPackages('node_modules/.package-lock.json')
  for (const [path, entry] of Object.entries(wanted)) {
    const found = installed[path]
    if (path === '' || entry.link || (!found && (entry.optional || entry.devOptional))) continue
    if (found?.version !== entry.version || found?.integrity !== entry.integrity) return `${path} is not as locked`
  }
  return Object.keys(installed).some((path) => !wanted[path]) ? 'there are packages that are not locked' : undefined
}

function lockedPackages(file) {
  return JSON.parse(readFileSync(root + file, 'utf8')).packages
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  if (recent || existsSync(`${root}node_modules/.bin/node`)) return
  fail(
    `Parley needs Node ${OLDEST_NODE.join('.')} or newer, this is ${process.version}, and npm has no Node for ` +
      `${process.platform} ${process.arch}: install a newer one and run this again`,
  )
}

function installChromium() {
  if (findChromium()) return
  if (process.env.CHROMIUM_PATH) fail(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which cannot be run`)
  const advice = 'install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) fail(`The browser tests need Chromium: ${advice}`)
  say('there is no Chromium: installing it with apt-get')
  run('apt-get', ['update'], 'apt-get update failed; see above')
  // Not every system has the quick one, and none needs it.
  const packages = isKnown(HEADLESS) ? ['chromium', HEADLESS] : ['chromium']
  run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], `apt-get found no Chromium: ${advice}`)
  if (!findChromium()) fail(`apt-get brought no Chromium that can be run: ${advice}`)
}

function isKnown(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
}

/** Quiet when it works; everything it said when it does not. */
function run(command, args, failure) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`)
  fail(failure)
}

function say(text) {
  console.log(`setup: ${text}`)
}

function fail(text) {
  console.error(`setup: ${text}`)
  process.exit(1)
}
