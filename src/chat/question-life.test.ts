import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asked, createModel, type Ended, type Model, type Said } from '../../test/support/question-model.ts'
import { CONVERSATION, openWorld, type World } from '../../test/support/question-world.ts'
import { SOAK } from '../log/contract/place.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Outcome } from './seat.ts'

const RUNS = 100 * SOAK
const STEPS = 40
// Nothing here waits for anything but promises; what has not happened by then never will.
const ENOUGH_TURNS = 1000

interface Call {
  result: Promise<Outcome>
  stop: AbortController
  ended: boolean
}

type Life = Model<Call>
type Command = fc.AsyncCommand<Life, World>

const nat = fc.nat(20)
const question = fc.record({
  text: fc.constantFrom('Deploy?', 'Test?', 'Next?'),
  by: fc.constantFrom('ann', 'bob'),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
  expires: fc.boolean(),
  patient: fc.boolean(),
})

const commands = [
  question.map(ask),
  fc.tuple(nat, fc.boolean()).map(([n, patient]) => askAgain(n, patient)),
  nat.map(cancel),
  nat.map(reply),
  nat.map(reply),
  nat.map(replyTwice),
  nat.map(withdraw),
  fc.constant(null).map(passTime),
  fc.constant(null).map(interrupt),
  fc.constant(null).map(post),
  fc.constant(null).map(checkMessages),
  fc.boolean().map(takeOver),
  fc.constant(null).map(restart),
]

test(
  '[Q21] a question lives as a simple model says, whatever is asked, cancelled, answered, stopped and restarted',
  { timeout: 30_000 * SOAK },
  () =>
    fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: STEPS, size: 'max' }), async (steps) => {
        const world = openWorld()
        const model: Life = createModel<Call>(world.clock.now())
        await fc.asyncModelRun(() => ({ model, real: world }), steps)
        await finish(model, world)
        world.close()
      }),
      { numRuns: RUNS },
    ),
)

let due = 0
let words = 0

function ask({ text, by, key, expires, patient }: typeof question extends fc.Arbitrary<infer Q> ? Q : never): Command {
  return command(`ask ${text} ${by} ${key} ${expires} ${patient}`, undefined, async (model, world) => {
    const at = model.now() + 1000 * 60
    const expiresAt = expires ? at + ++due : undefined
    const waitMs = patient ? undefined : 1000 * 60 + ++due
    const until = waitMs === undefined ? undefined : model.now() + waitMs
    model.start()
    const known = model.ask({ text, by, key })
    const before = await idsOfQuestions(world)
    const call = begin((signal) => world.seat.ask([{ text, by, key, expires_at: expiresAt }], { signal, waitMs }))
    if (known === 'stopped') return ends(call, model.handOver())
    if (known && known.state !== 'open') return ends(call, model.handOver(known))
    if (known) model.wait(call, known, { until })
    else {
      const id = await found(async () => (await idsOfQuestions(world)).find((id) => !before.includes(id)))
      model.wait(call, { id, text, by, state: 'open', expiresAt }, { key, until })
    }
  })
}

function askAgain(n: number, patient: boolean): Command {
  const pick = (model: Life) => at(model.asked, n)
  return command(`wait again for #${n}`, pick, async (model, world, question) => {
    const waitMs = patient ? undefined : 1000 * 60 + ++due
    model.start()
    const call = begin((signal) => world.seat.resume([question.id], { signal, waitMs }))
    if (question.state !== 'open') return ends(call, model.handOver(question))
    model.wait(call, question, { until: waitMs && model.now() + waitMs })
  })
}

function cancel(n: number): Command {
  const pick = (model: Life) => at(model.waiting(), n)
  return command(`cancel #${n}`, pick, async (model, _, waiting) => {
    model.giveUp(waiting)
    waiting.call.stop.abort(new Error('cancelled'))
    await expect(waiting.call.result).rejects.toThrow('cancelled')
  })
}

function reply(n: number): Command {
  const pick = (model: Life) => at(model.open(), n)
  return command(`reply to #${n}`, pick, async (model, world, question) => {
    const text = `reply ${++words}`
    const ended = model.settle(question, 'answered', text)
    await world.chat.answer(question.id, text, 'person')
    await endAll(model, ended)
  })
}

function replyTwice(n: number): Command {
  const pick = (model: Life) => at(model.settled(), n)
  return command(`reply again to #${n}`, pick, async (_, world, question) => {
    await expect(world.chat.answer(question.id, 'again', 'person')).rejects.toMatchObject({ code: 'question_settled' })
  })
}

function withdraw(n: number): Command {
  const pick = (model: Life) => at(model.open(), n)
  return command(`withdraw #${n}`, pick, async (model, world, question) => {
    const ended = model.settle(question, 'withdrawn')
    await world.chat.withdraw(question.id, 'agent')
    await endAll(model, ended)
  })
}

function passTime(): Command {
  const pick = (model: Life) => model.nextDue()
  return command('time passes', pick, async (model, world, { at, question, call }) => {
    await world.chat.recovered
    world.clock.advance(at - model.now())
    model.moveTo(at)
    if (question) return endAll(model, model.settle(question, 'expired'))
    if (!call) return
    model.giveUp(call)
    const { earlier, interrupted } = model.handOver()
    await ends(call.call, { pending: call.question, earlier, interrupted })
  })
}

function interrupt(): Command {
  const pick = (model: Life) => (model.asked.length > 0 ? {} : undefined)
  return command('stop', pick, async (model, world) => {
    const text = `stop ${++words}`
    const ended = model.stop(text)
    await world.chat.interrupt(CONVERSATION, text, 'person')
    await endAll(model, ended)
  })
}

function post(): Command {
  return command('say', undefined, async (model, world) => {
    const { text } = model.say(`message ${++words}`)
    await world.chat.post(CONVERSATION, { author: 'user', by: 'person', text })
  })
}

function checkMessages(): Command {
  return command('check messages', undefined, async (model, world) => {
    model.start()
    const call = begin(() => world.seat.messages())
    await ends(call, model.handOver())
  })
}

/** `late`: a deadline passes while there is no hub. */
function takeOver(late: boolean): Command {
  return command(`take over${late ? ' late' : ''}`, undefined, async (model, world) => {
    const due = late ? model.nextDue() : undefined
    if (!due?.question) return world.takeOver()
    world.takeOver(() => world.clock.advance(due.at - model.now()))
    model.moveTo(due.at)
    const ended = model.settle(due.question, 'expired')
    await world.chat.recovered
    world.clock.advance(0)
    await endAll(model, ended)
  })
}

function restart(): Command {
  return command('restart', undefined, async (model, world) => {
    const calls = model.waiting()
    model.forget()
    world.restart()
    for (const { call } of calls) await expect(call.result).rejects.toMatchObject({ code: 'come_back' })
  })
}

/** Everything that is open is answered, and everything said arrives, each once. */
async function finish(model: Life, world: World) {
  for (const question of model.open())
    await reply(0)
      .run(model, world)
      .then(() => expect(question.state).toBe('answered'))
  await checkMessages().run(model, world)
  expect(model.handOver().earlier).toEqual([])
  const entries = (await world.chat.page(CONVERSATION, { limit: 10_000 })).entries
  const settled = entries.flatMap(({ body }) => (body.kind === 'settlement' ? [body.question] : []))
  expect(settled.toSorted()).toEqual(model.asked.map(({ id }) => id).toSorted())
}

function command<Picked>(
  name: string,
  pick: ((model: Life) => Picked | undefined) | undefined,
  run: (model: Life, world: World, picked: Picked) => Promise<unknown>,
): Command {
  return {
    check: (model) => pick === undefined || pick(model) !== undefined,
    async run(model, world) {
      await run(model, world, pick?.(model) as Picked)
      await agree(model, world)
    },
    toString: () => name,
  }
}

function begin(start: (signal: AbortSignal) => Promise<Outcome>): Call {
  const stop = new AbortController()
  const call: Call = { result: start(stop.signal), stop, ended: false }
  const end = () => {
    call.ended = true
  }
  call.result.then(end, end)
  return call
}

async function endAll(model: Life, ended: { call: Call; question: Asked }[]) {
  if (ended.length === 0) return
  const calls = ended.map(({ call }) => call)
  const brought = ended.map(({ question }) => model.handOver(question))
  const outcomes = await Promise.all(calls.map(({ result }) => result))
  // Which of several calls that end together brings the rest along is nobody's business; that one of them does is.
  expect(outcomes.flatMap(({ earlier }) => earlier).map(({ text }) => text)).toEqual(
    brought.flatMap(({ earlier }) => earlier).map(({ text }) => text),
  )
  expect(outcomes.map(({ interrupted }) => interrupted).filter(Boolean)).toEqual(
    brought.map(({ interrupted }) => interrupted).filter(Boolean),
  )
  for (const [n, { settlements }] of outcomes.entries()) sameSettlement(settlements, brought[n]?.settlement)
}

async function ends(call: Call, { settlement, pending, interrupted, earlier }: Ended) {
  const outcome = await call.result
  sameSettlement(outcome.settlements, settlement)
  expect(outcome.open).toEqual(pending ? [pending.id] : [])
  expect(outcome.interrupted).toBe(interrupted)
  expect(outcome.earlier.map(({ text }) => text)).toEqual(earlier.map(({ text }: Said) => text))
}

function sameSettlement(settlements: Outcome['settlements'], expected: Asked | undefined) {
  expect(settlements.map(({ question, outcome, reply }) => ({ question, outcome, reply }))).toEqual(
    expected ? [{ question: expected.id, outcome: expected.state, reply: expected.reply?.text }] : [],
  )
}

/** The hub has what the model has, and waits for whom it waits for. */
async function agree(model: Life, world: World) {
  for (const { question } of model.waiting()) {
    const calls = model.waiting().filter((other) => other.question === question).length
    await found(async () => world.waitingFor(question.id) === calls || undefined)
  }
  expect(model.waiting().filter(({ call }) => call.ended)).toEqual([])
  const { open } = await world.chat.conversation(CONVERSATION)
  expect(open.map(({ id, text, by }) => ({ id, text, by }))).toEqual(
    model.open().map(({ id, text, by }) => ({ id, text, by })),
  )
  expect(await idsOfQuestions(world)).toEqual(model.asked.map(({ id }) => id))
}

async function idsOfQuestions({ chat }: World): Promise<string[]> {
  const { entries } = await chat.page(CONVERSATION, { limit: 10_000 })
  return entries.filter(({ body }: Entry) => body.kind === 'question').map(({ id }) => id)
}

async function found<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let turns = 0; turns < ENOUGH_TURNS; turns++) {
    const value = await look()
    if (value !== undefined) return value
    await new Promise(setImmediate)
  }
  throw new Error('It never came')
}

function at<Value>(values: Value[], n: number): Value | undefined {
  return values[n % values.length]
}
