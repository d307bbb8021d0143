import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modelDriver } from '../../src/agents/model/driver.ts'
import { startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { eventually } from '../support/eventually.ts'

const SECRET = 'zqjxkvword'

test('[O111] what is forgotten leaves nothing with its runner, whose agent of it ends and says no more', async () => {
  const begun = Promise.withResolvers<void>()
  const agent = scriptedDriver(
    async ({ text }, { happens, stopped }) => {
      if (!text.includes('slowly')) return undefined
      happens({ type: 'text', text: `${SECRET} again` })
      begun.resolve()
      await stopped
      happens({ type: 'text', text: 'Late' })
      return undefined
    },
    { id: () => 'session-1' },
  )
  const forgotten: string[] = []
  const driver = { ...agent.driver, forget: async (session: string) => void forgotten.push(session) }
  const { data, hub, view, runner } = await startDriven({ driver, name: 'robot' })
  const { conversation: kept } = await view.start({ runner: 'robot' }, { text: 'Hello' }, 'k1')
  const { conversation: secret } = await view.start({ runner: 'robot' }, { text: `${SECRET}, slowly` }, 'k2')
  await begun.promise
  await view.say(secret, { text: `${SECRET} waits` })
  await view.forget(secret)
  await eventually(() => expect(forgotten).toEqual(['session-1']))
  await hub.chat.erased()
  await eventually(() => expect(filesWith(data, SECRET)).toEqual([]))
  expect(agent.stopped).toEqual([secret])
  expect((await view.conversations({ limit: 9 })).map(({ id }) => id)).toEqual([kept])
  // The others go on.
  await view.say(kept, { text: 'And now?' })
  await eventually(() => expect(agent.prompts).toContain('And now?'))
  await runner.close()
  expect(filesWith(data, SECRET)).toEqual([])
})

test('[O111] a runner that was not there then finds out when it starts', async () => {
  const agent = scriptedDriver(() => undefined, { id: () => 'session-1' })
  const forgotten: string[] = []
  const driver = { ...agent.driver, forget: async (session: string) => void forgotten.push(session) }
  const { data, view, runner } = await startDriven({ driver, name: 'robot' })
  const { conversation } = await view.start({ runner: 'robot' }, { text: SECRET }, 'k1')
  await watching(view, conversation).until('turn')
  await runner.close()
  const own = () => filesWith(data, conversation).filter((path) => path.startsWith('runner.db'))
  expect(own()).toContain('runner.db')
  await view.forget(conversation)
  await startRunner(data, { driver, name: 'robot' })
  expect(forgotten).toEqual(['session-1'])
  expect([...own(), ...filesWith(data, SECRET).filter((path) => path.startsWith('runner.db'))]).toEqual([])
})

test('[O111] what a model knew of it is gone too', async () => {
  const agent = scriptedDriver(() => undefined)
  const { data } = await startDriven({ driver: agent.driver })
  const stateFolder = join(data, 'models')
  const driver = modelDriver({ model: 'ollama:m', servers: [], strictChat: false, stateFolder })
  const { openHistory } = await import('../../src/agents/model/history.ts')
  const [history, other] = [openHistory(stateFolder), openHistory(stateFolder)]
  for (const { add } of [history, other]) add({ role: 'user', content: SECRET })
  await driver.forget?.(history.id)
  await driver.forget?.('../runner')
  expect(filesWith(data, SECRET)).toEqual([join('models', `${other.id}.jsonl`)])
})

/** The files of a folder in which these bytes stand. */
function filesWith(folder: string, words: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => {
    const stat = statSync(join(folder, path), { throwIfNoEntry: false })
    return stat?.isFile() && (path.includes(words) || readFileSync(join(folder, path)).includes(words))
  })
}
