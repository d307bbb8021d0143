import { fstatSync } from 'node:fs'
import { ParleyError } from '../protocol/errors.ts'
import { readConfig } from './config.ts'
// In the first file that is loaded, because agents wait for its answer; everything else is fetched when it is needed.
import { stdio } from './stdio.ts'

// Node itself would print the line of code too, and a bundle has only one.
process.on('uncaughtException', (error) => {
  console.error(error.stack)
  process.exit(1)
})

try {
  const config = readConfig({ args: process.argv.slice(2), env: process.env, cwd: process.cwd(), piped: isPiped() })
  switch (config.command) {
    case 'stdio':
      await stdio(config)
      break
    case 'serve':
      await (await import('./serve.ts')).serve(config)
      break
    case 'demo':
      await (await import('./demo.ts')).demo(config)
      break
    case 'token':
      if (config.order) await (await import('./token.ts')).token(config, config.order)
      break
    case 'export':
      if (config.export) await (await import('./export.ts')).exportConversation(config, config.export)
      break
    case 'version':
      console.log((await import('../protocol/version.ts')).VERSION)
      break
    case 'help':
      console.log((await import('./help.ts')).HELP)
      break
  }
} catch (error) {
  if (!(error instanceof ParleyError)) throw error
  console.error(error.message)
  process.exitCode = error.code === 'usage' ? 2 : 1
  // Calls that wait already are told the same, then the agent's open stdin must not keep the process.
  setImmediate(() => process.exit())
}

function isPiped(): boolean {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'fstat') throw error
    // A process without stdin has nobody at its other end.
    return false
  }
}
