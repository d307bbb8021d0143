import { expect, test } from 'vitest'
import { oneSession, type SessionLife } from './one-session.ts'

function sessions() {
  const [opened, ended, lost]: [SessionLife[], string[], unknown[]] = [[], [], []]
  const waiting: PromiseWithResolvers<string>[] = []
  const one = oneSession<string>({
    open(life) {
      opened.push(life)
      const opening = Promise.withResolvers<string>()
      waiting.push(opening)
      return opening.promise
    },
    end: (session) => ended.push(session),
    lost: (error) => lost.push(error),
  })
  return { one, opened, ended, lost, waiting }
}

const isLost = (error: unknown) => error === 'lost'

test('[R25] everybody uses one session; one that was lost is ended, told once and followed by the next', async () => {
  const { one, opened, ended, lost, waiting } = sessions()
  const used = Promise.all([one.use(async (name) => name, isLost), one.use(async (name) => name, isLost)])
  await Promise.resolve()
  waiting[0]?.resolve('first')
  expect(await used).toEqual(['first', 'first'])
  await expect(one.use(() => Promise.reject('no'), isLost)).rejects.toBe('no')
  expect([one.now(), lost]).toEqual(['first', []])
  await expect(one.use(() => Promise.reject('lost'), isLost)).rejects.toBe('lost')
  opened[0]?.lose('again')
  expect([one.now(), lost, ended]).toEqual([undefined, ['lost'], ['first']])
  const next = one.use(async (name) => name, isLost)
  await Promise.resolve()
  waiting[1]?.resolve('second')
  expect(await next).toBe('second')
})

test('[R25] a session that is closed while it is opened is ended as soon as it is there, and lost to nobody', async () => {
  const { one, opened, ended, lost, waiting } = sessions()
  const used = one.use(async (name) => name, isLost)
  await Promise.resolve()
  const closed = one.close()
  expect(opened[0]?.ended.aborted).toBe(true)
  waiting[0]?.resolve('late')
  await closed
  await used
  opened[0]?.lose('late')
  expect([one.now(), ended, lost]).toEqual([undefined, ['late'], []])
})

test('[R25] a session that cannot be opened is lost, and the next use opens another', async () => {
  const { one, lost, waiting } = sessions()
  const used = one.use(async (name) => name, isLost)
  await Promise.resolve()
  waiting[0]?.reject('refused')
  await expect(used).rejects.toBe('refused')
  expect(lost).toEqual(['refused'])
  const next = one.use(async (name) => name, isLost)
  await Promise.resolve()
  waiting[1]?.resolve('second')
  expect(await next).toBe('second')
})
