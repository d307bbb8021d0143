/** A process that drives the scripted agent with one prompt, tells what it says, and then waits to be ended. */
import { setTimeout as pause } from 'node:timers/promises'
import { acpDriver } from '../../../src/agents/acp/driver.ts'

const [command = '', folder = '', prompt = ''] = process.argv.slice(2)
const parley = { stdio: { command: 'node', args: [], env: {} } }
const session = await acpDriver({ command }).start({
  ...{ conversation: 'work', folder, parley },
  happens: (happening) => happening.type === 'text' && console.log(happening.text),
})
process.on('SIGTERM', () => process.exit(0))
await session.prompt({ text: prompt })
await pause(600_000)
