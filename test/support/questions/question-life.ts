import { expect } from 'vitest'
import type { Delivery } from '../../../src/chat/delivery/deliveries.ts'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import type { Asked, Ended, Model, Said } from './question-model.ts'
import { CONVERSATION, type World } from './question-world.ts'

// Nothing here waits for anything but promises; what has not happened by then never will.
const ENOUGH_TURNS = 1000

/** A call of the agent, and whether it has come back. */
export interface Call {
  result: Promise<Delivery>
  stop: AbortController
  ended: boolean
}

export type Life = Model<Call>

export function begin(start: (signal: AbortSignal) => Promise<Delivery>): Call {
  const stop = new AbortController()
  const call: Call = { result: start(stop.signal), stop, ended: false }
  const end = () => {
    call.ended = true
  }
  call.result.then(end, end)
  return call
}

export async function endAll(model: Life, ended: { call: Call; question: Asked }[]) {
  if (ended.length === 0) return
  const calls = ended.map(({ call }) => call)
  const brought = ended.map(({ question }) => model.handOver(question))
  const outcomes = await Promise.all(calls.map(resultOf))
  // Which of several calls that end together brings the rest along is nobody's business; that one of them does is.
  expect(outcomes.flatMap(({ earlier }) => earlier).map(({ text }) => text)).toEqual(
    brought.flatMap(({ earlier }) => earlier).map(({ text }) => text),
  )
  expect(outcomes.map(({ interrupted }) => interrupted).filter(Boolean)).toEqual(
    brought.map(({ interrupted }) => interrupted).filter(Boolean),
  )
  for (const [n, { settlements }] of outcomes.entries()) sameSettlement(settlements, brought[n]?.settlement)
}

export async function ends(call: Call, { settlement, pending, interrupted, earlier }: Ended) {
  const outcome = await resultOf(call)
  sameSettlement(outcome.settlements, settlement)
  expect(outcome.open).toEqual(pending ? [pending.id] : [])
  expect(outcome.interrupted).toBe(interrupted)
  expect(outcome.earlier.map(({ text }) => text)).toEqual(earlier.map(({ text }: Said) => text))
}

/** One that never comes is told, with the commands that led there. */
async function resultOf(call: Call): Promise<Delivery> {
  await found(async () => call.ended || undefined)
  return call.result
}

function sameSettlement(settlements: Delivery['settlements'], expected: Asked | undefined) {
  expect(settlements.map(({ question, outcome, reply }) => ({ question, outcome, reply }))).toEqual(
    expected ? [{ question: expected.id, outcome: expected.state, reply: expected.reply?.text }] : [],
  )
}

/** The hub has what the model has, and waits for whom it waits for. */
export async function agree(model: Life, world: World) {
  await allWait(model, world)
  expect(model.waiting().filter(({ call }) => call.ended)).toEqual([])
  // A deadline is kept by nobody's call, so that nothing says when it is.
  await found(async () => (await openIn(world)).length === model.open().length || undefined)
  expect(await openIn(world)).toEqual(model.open().map(({ id, text, by }) => ({ id, text, by })))
  expect(await idsOfQuestions(world)).toEqual(model.asked.map(({ id }) => id))
}

/** All calls that wait do so at the hub of now. */
export async function allWait(model: Life, world: World) {
  for (const { question } of model.waiting()) {
    const calls = model.waiting().filter((other) => other.question === question).length
    await found(async () => world.waitingFor(question.id) === calls || undefined)
  }
}

async function openIn({ view }: World) {
  return (await view.conversation(CONVERSATION)).open.map(({ id, text, by }) => ({ id, text, by }))
}

export async function idsOfQuestions({ view }: World): Promise<string[]> {
  const { entries } = await view.page(CONVERSATION, { limit: 10_000 })
  return entries.filter(({ body }: Entry) => body.kind === 'question').map(({ id }) => id)
}

export async function found<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let turns = 0; turns < ENOUGH_TURNS; turns++) {
    const value = await look()
    if (value !== undefined) return value
    await new Promise(setImmediate)
  }
  throw new Error('It never came')
}
