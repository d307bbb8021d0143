#!/usr/bin/env node
// Must load in any Node that has modules, to be able to say that it is too old. No import statements: that of
// node:fs alone costs 2 ms at every start, because it touches everything the module exports.
const OLDEST_NODE = [24, 15]

if (isRecent()) await start()
else await startWithOwnNode()

function isRecent() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

async function start() {
  const cli = new URL('../dist/cli.js', import.meta.url)
  if (!process.getBuiltinModule('fs').existsSync(cli)) return fail('Parley is not built yet: run npm run build')
  // In the user's own folder: compiled code in a shared one could be somebody else's.
  const cache = process.env.XDG_CACHE_HOME || `${process.getBuiltinModule('os').homedir()}/.cache`
  process.getBuiltinModule('module').enableCompileCache(`${cache}/parley`)
  await import(cli.href)
}

/** A checkout brings a Node of its own. */
async function startWithOwnNode() {
  const [{ existsSync }, { isatty }, { fileURLToPath }, { spawn }] = await Promise.all(
    ['fs', 'tty', 'url', 'child_process'].map((name) => import(`node:${name}`)),
  )
  const node = new URL('../node_modules/.bin/node', import.meta.url)
  if (!existsSync(node)) {
    const advice = `install a newer one, or try npx -p node@24 node ${process.argv[1]}`
    return fail(`Parley needs Node ${OLDEST_NODE.join('.')} or newer, and this is ${process.version}: ${advice}`)
  }
  const child = spawn(fileURLToPath(node), process.argv.slice(1), { stdio: 'inherit' })
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

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
