#!/usr/bin/env node
// Must load in any Node, to be able to say that it is too old. CommonJS, as what `parley stdio` is built to: see bundle.ts.
const { existsSync, fstatSync, readFileSync } = require('node:fs')
const { join, sep } = require('node:path')

const ROOT = join(__dirname, '..')
const OLDEST_FOR_LINE = [20, 0]
const OLDEST_NODE = [24, 15]
/** What is said instead of doing anything. */
const SAID = ['--help', '-h', '--version', '-v']

if (!process.env.HOME) haveHome()
const build = currentBuild()
// The modules of Node cannot be loaded from there.
if (sep === '/' && ROOT.includes('\\')) fail(`Parley does not run where a folder has a \\ in its name: ${ROOT}`)
else if (!isFrom(OLDEST_FOR_LINE)) startWithOwnNode()
else if (!build) fail('Parley is not built yet: run npm run build')
else if (isLine(process.argv.slice(2))) require(join(build, 'line.cjs'))
else if (isFrom(OLDEST_NODE)) void import(require('node:url').pathToFileURL(join(build, 'cli.js')).href)
else startWithOwnNode()

/** A user without a home folder, as in containers, has the one that containers give: what needs a folder then says so. */
function haveHome() {
  delete process.env.HOME
  try {
    require('node:os').homedir()
  } catch (error) {
    if (error.code !== 'ERR_SYSTEM_ERROR') throw error
    process.env.HOME = '/'
  }
}

/** What is started goes on with it, whatever is built meanwhile. */
function currentBuild() {
  try {
    return join(ROOT, 'dist/builds', readFileSync(join(ROOT, 'dist/current'), 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

function isFrom([oldestMajor, oldestMinor]) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/** The line of an agent to its hub: also without a command, when a program is at the other end of stdin. */
function isLine(words) {
  if (words.some((word) => SAID.includes(word))) return false
  return words[0] === 'stdio' || ((words.length === 0 || words[0].startsWith('-')) && isPiped())
}

function isPiped() {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket()
  } catch (error) {
    if (error.syscall !== 'fstat') throw error
    // A process without stdin has nobody at its other end.
    return false
  }
}

/** A checkout brings a Node of its own. */
function startWithOwnNode() {
  const node = join(ROOT, 'node_modules/.bin/node')
  if (!existsSync(node)) return tooOld()
  const child = require('node:child_process').spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  const { isatty } = require('node:tty')
  const forward = (signal) => {
    // Ctrl+C reaches the child by itself, and twice would mean to hurry.
    if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, forward)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code)
  })
}

function tooOld() {
  const [, program] = process.argv
  const advice = `install a newer one, or try npx -p node@24 node ${/\s/.test(program) ? `"${program}"` : program}`
  fail(`Parley needs Node ${OLDEST_NODE.join('.')} or newer, and this is ${process.version}: ${advice}`)
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
