import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, PARLEY } from '../../../test/support/driven/driven-agent.ts'
import { areGone, killAll, type Proc, processWith } from '../../io/descendants.ts'
import type { Happening } from '../driver.ts'
import { commandDriver } from './command-driver.ts'

/** Starts something in a session of its own, says which process that is, and goes on with `then`. */
function starting(then: string): string {
  const options = `{ detached: true, stdio: 'ignore' }`
  const script = `console.log(require('node:child_process').spawn('sleep', ['600'], ${options}).pid); ${then}`
  return `"${process.execPath}" -e "${script}"`
}

test('[C175] what a command started is gone with its turn, also in a session of its own', async () => {
  const { session, started } = await driven(starting('process.exit()'))
  expect(await session.prompt({ text: '' })).toEqual({ outcome: 'ended' })
  expect(processWith((await started).pid)).toBeUndefined()
})

test('[C175] the same when the turn is stopped', async () => {
  const { session, started } = await driven(starting('setInterval(() => {}, 1000)'))
  const turn = session.prompt({ text: '' })
  const helper = await started
  await session.interrupt?.()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  await areGone([helper])
})

test('[O172] a turn is over with its command, although something in the background holds the pipe', async () => {
  const { session, said } = await driven('sleep 600 & echo hi')
  expect(await session.prompt({ text: '' })).toEqual({ outcome: 'ended' })
  expect(said()).toBe('hi\n')
})

test('[O172] it can be stopped while something in the background holds the pipe', async () => {
  const { session, started } = await driven(`sleep 600 & ${starting('setInterval(() => {}, 1000)')}`)
  const turn = session.prompt({ text: '' })
  await started
  await session.interrupt?.()
  expect(await turn).toEqual({ outcome: 'cancelled' })
})

test('[O172] the command of a runner that was killed is gone before another one begins', async () => {
  const script = `
    import { commandDriver } from '${import.meta.resolve('./command-driver.ts')}'
    const parley = { stdio: { command: 'node', args: ['/parley.js'], env: {} } }
    const happens = ({ text }) => { process.stdout.write(text); process.kill(process.pid, 'SIGKILL') }
    const session = await commandDriver('echo $$; exec sleep 600').start({ conversation: 'work', folder: '.', parley, happens })
    await session.prompt({ text: '' })`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const left = processWith(Number(stdout))
  expect(Number(stdout)).toBeGreaterThan(0)
  // Whoever drives something else on this machine at this moment may have ended it.
  if (!left) return
  onTestFinished(() => killAll([left]))
  await driven('true')
  await areGone([left])
})

test('[O216] a folder that was removed is the problem of the next turn, and no trouble once it is back', async () => {
  const folder = join(aFolder(), 'gone')
  mkdirSync(folder)
  const { session, said } = await driven('pwd', folder)
  rmdirSync(folder)
  const problem = `${folder} does not exist; make it, or name another with --cwd`
  expect(await session.prompt({ text: '' })).toEqual({ outcome: 'failed', problem })
  mkdirSync(folder)
  expect(await session.prompt({ text: '' })).toEqual({ outcome: 'ended' })
  expect(said()).toContain('gone')
})

async function driven(command: string, folder = aFolder()) {
  const { promise: started, resolve } = Promise.withResolvers<Proc>()
  let said = ''
  const happens = (happening: Happening) => {
    if (happening.type !== 'text') return
    said += happening.text
    const helper = processWith(Number(happening.text))
    if (!helper) return
    onTestFinished(() => killAll([helper]))
    resolve(helper)
  }
  const session = await commandDriver(command).start({
    conversation: 'work',
    folder,
    parley: PARLEY,
    happens,
  })
  return { session, started, said: () => said }
}
