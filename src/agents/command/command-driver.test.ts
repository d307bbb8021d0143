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

async function driven(command: string) {
  const { promise: started, resolve } = Promise.withResolvers<Proc>()
  const happens = (happening: Happening) => {
    if (happening.type !== 'text') return
    const helper = processWith(Number(happening.text))
    if (!helper) return
    onTestFinished(() => killAll([helper]))
    resolve(helper)
  }
  const session = await commandDriver(command).start({
    conversation: 'work',
    folder: aFolder(),
    parley: PARLEY,
    happens,
  })
  return { session, started }
}
