import { expect, test } from 'vitest'
import { fakeClock } from '../../../../test/support/fake-clock.ts'
import type { DrivingRequest } from '../../../protocol/frames/asked/driving-request.ts'
import { createRequests } from './requests.ts'

const ADA = { holder: 'run-1', principal: 'ada' }
const WANTED = { type: 'changes', session_id: 'work' } as const
const CHANGES = { against: 'start', files: [], left_out: [] } as const

test('[O215] only the process that is asked hears of it and can answer it, once', async () => {
  const { requests, heard } = listening()
  const asked = requests.ask(ADA, WANTED)
  const again = requests.ask(ADA, WANTED)
  expect(heard).toMatchObject([{ ...WANTED, holder: 'run-1' }])
  const id = heard[0]?.id ?? ''
  const answer = { changes: { ...CHANGES, files: [], left_out: [] } }
  for (const [request, holder, principal] of [
    [id, 'run-2', 'ada'],
    [id, 'run-1', 'eve'],
    ['guessed', 'run-1', 'ada'],
  ] as const)
    expect(() => requests.answer(request, holder, { id: principal }, answer)).toThrow(
      expect.objectContaining({ code: 'unknown_request' }),
    )
  requests.answer(id, 'run-1', { id: 'ada' }, answer)
  expect([await asked, await again]).toEqual([answer, answer])
  expect(() => requests.answer(id, 'run-1', { id: 'ada' }, answer)).toThrow(
    expect.objectContaining({ code: 'unknown_request' }),
  )
})

test('[O215] a process that is not there has no answer, and one that says nothing has none in time', async () => {
  const { requests, clock } = listening()
  expect(await requests.ask({ ...ADA, principal: 'eve' }, WANTED)).toBeUndefined()
  const asked = requests.ask(ADA, WANTED)
  clock.advance(30_000)
  expect(await asked).toBeUndefined()
})

function listening() {
  const clock = fakeClock()
  const requests = createRequests(clock)
  const heard: DrivingRequest[] = []
  requests.onRequest({ id: 'ada' }, (request) => heard.push(request))
  return { requests, clock, heard }
}
