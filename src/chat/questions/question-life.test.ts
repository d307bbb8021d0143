import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SOAK } from '../../../test/log/contract/place.ts'
import {
  agree,
  allWait,
  begin,
  type Call,
  endAll,
  ends,
  found,
  idsOfQuestions,
  type Life,
} from '../../../test/support/questions/question-life.ts'
import { type Asked, createModel } from '../../../test/support/questions/question-model.ts'
import { CONVERSATION, openWorld, type World } from '../../../test/support/questions/question-world.ts'

const RUNS = SOAK > 1 ? 100 * SOAK : 20
const STEPS = 40

type Command = fc.AsyncCommand<Life, World>

const nat = fc.nat(20)
const question = fc
  .record({
    text: fc.constantFrom('Deploy?', 'Test?', 'Next?'),
    by: fc.constantFrom('ann', 'bob'),
    key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
    expires: fc.boolean(),
    patient: fc.boolean(),
  })
  // Nobody gives one key to two questions.
  .map(({ key, ...rest }) => ({ ...rest, key: key && `${key} ${rest.text} ${rest.by}` }))

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
  fc.constant(null).map(checkInVain),
  fc.boolean().map(takeOver),
  fc.constant(null).map(restart),
]

test(
  '[Q21] a question lives as a simple model says, whatever is asked, cancelled, answered, stopped and restarted',
  { timeout: 90_000 * SOAK },
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
    const call = begin((signal) => world.session.ask([{ text, by, key, expires_at: expiresAt }], { signal, waitMs }))
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
    const call = begin((signal) => world.session.resume([question.id], { signal, waitMs }))
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
    await world.view.answer(question.id, text)
    await endAll(model, ended)
  })
}

function replyTwice(n: number): Command {
  const pick = (model: Life) => at(model.settled(), n)
  return command(`reply again to #${n}`, pick, async (_, world, question) => {
    await expect(world.view.answer(question.id, 'again')).rejects.toMatchObject({ code: 'question_settled' })
  })
}

/** A question that a call waits for is never withdrawn by another. */
function withdraw(n: number): Command {
  const isLeft = (model: Life, asked: Asked) => !model.waiting().some(({ question }) => question === asked)
  const pick = (model: Life) =>
    at(
      model.open().filter((asked) => isLeft(model, asked)),
      n,
    )
  return command(`withdraw #${n}`, pick, async (model, world, question) => {
    const ended = model.settle(question, 'withdrawn')
    await world.view.agentService().withdraw([question.id])
    await endAll(model, ended)
  })
}

function passTime(): Command {
  const pick = (model: Life) => model.nextDue()
  return command('time passes', pick, async (model, world, { at, question, call }) => {
    await world.ready
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
    await world.view.interrupt(CONVERSATION, text)
    await endAll(model, ended)
  })
}

function post(): Command {
  return command('say', undefined, async (model, world) => {
    const { text } = model.say(`message ${++words}`)
    await world.view.say(CONVERSATION, { text })
  })
}

function checkMessages(): Command {
  return command('check messages', undefined, async (model, world) => {
    model.start()
    const call = begin(() => world.session.messages())
    await ends(call, model.handOver())
  })
}

/** The answer never reaches its agent. */
function checkInVain(): Command {
  return command('check messages in vain', undefined, async (model, world) => {
    model.start()
    const delivery = await world.unreached.messages()
    const { interrupted, earlier } = model.pack()
    expect(delivery.interrupted).toBe(interrupted)
    expect(delivery.earlier.map(({ text }) => text)).toEqual(earlier.map(({ text }) => text))
    delivery.returned()
  })
}

/** `late`: a deadline passes while there is no hub. */
function takeOver(late: boolean): Command {
  return command(`take over${late ? ' late' : ''}`, undefined, async (model, world) => {
    const due = late ? model.nextDue() : undefined
    // Calls that wait are made again, and prove what arrived as all calls do.
    if (model.waiting().length > 0) model.start()
    if (!due?.question) return world.takeOver()
    world.takeOver(() => world.clock.advance(due.at - model.now()))
    model.moveTo(due.at)
    // An agent that joined the question of another by its words would ask anew, once that is over.
    await allWait(model, world)
    const ended = model.settle(due.question, 'expired')
    await world.ready
    world.clock.advance(0)
    await endAll(model, ended)
  })
}

function restart(): Command {
  return command('restart', undefined, async (model, world) => {
    model.forget()
    await world.restart()
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
  const entries = (await world.view.page(CONVERSATION, { limit: 10_000 })).entries
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

function at<Value>(values: Value[], n: number): Value | undefined {
  return values[n % values.length]
}
