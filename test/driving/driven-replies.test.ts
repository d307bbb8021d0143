import type { Transport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import type { AskOutcome } from '../../src/agents/driver.ts'
import { lineTo, startDriven } from '../support/driven/driven.ts'
import { aFolder, linesIn, SCRIPTED } from '../support/driven/driven-agent.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { temporaryFolder } from '../support/hub.ts'

type Watch = Awaited<ReturnType<typeof startDriven>>['watch']

test('[O107] with words that go into the turn, the answers to an ACP agent come to it once, as answers', async () => {
  const folder = aFolder()
  const environment = { ACP_AGENT: JSON.stringify({ steering: true }), ACP_AGENT_FOLDER: folder }
  const driver = acpDriver({ command: SCRIPTED, environment })
  const { view, watch, runner } = await startDriven({ driver, delivery: 'steer' })
  await view.say('work', { text: 'do permission\ndo ask\ndo steered' })
  await watch.until('question')
  await view.allow(questionAt(watch, 0), undefined)
  await watch.until('question', 5)
  await view.choose(questionAt(watch, 1), ['RED'])
  await view.choose(questionAt(watch, 2), ['S', 'L'])
  await view.answer(questionAt(watch, 3), '3')
  await view.choose(questionAt(watch, 4), ['Yes'])
  await view.say('work', { text: 'Also this' })
  await watch.until('turn')
  await view.say('work', { text: 'Bye' })
  await watch.until('turn', 2)
  const said = watch.bodies('message').map(({ text }) => text)
  expect(said.join()).toContain('"content":{"color":"red","sizes":["S","L"],"count":3,"gift":true}')
  expect(said.join()).toContain('steered: Also this')
  expect(linesIn(folder, 'prompts').map(({ text }) => text)).toEqual([
    'do permission\ndo ask\ndo steered',
    'Also this',
    'Bye',
  ])
  expect(runner.problems).toEqual([])
})

test('[O107] the reply to a call of the agent’s own session goes into the turn only where nobody got it, with its question', async () => {
  const { driver, prompts, steered, goOn, began } = steeredAgent()
  const { view, watch } = await startDriven({ driver, delivery: 'steer' })
  await view.say('work', { text: 'Go' })
  await began
  const agent = view.agentSession({ conversation: 'work', title: 'Work' })
  const got = agent.ask([{ by: 'agent', text: 'Which colour?' }], { signal: new AbortController().signal })
  await watch.until('question')
  await view.answer(questionAt(watch, 0), 'Blue')
  const delivery = await got
  delivery.arrived()
  expect(delivery.settlements).toMatchObject([{ reply: 'Blue' }])
  const leaving = new AbortController()
  const lost = agent.ask([{ by: 'agent', text: 'Which size?' }], { signal: leaving.signal })
  await watch.until('question', 2)
  leaving.abort(new Error('Gone'))
  await expect(lost).rejects.toThrow('Gone')
  await view.answer(questionAt(watch, 1), 'Large')
  await view.say('work', { text: 'Enough' })
  await goOn
  await watch.until('turn')
  expect([...prompts, ...steered].join('\n\n')).toBe('Go\n\n> Which size?\n\nLarge\n\nEnough')
})

test('[O107] a reply whose asker ended before it came is the next prompt, with its question', async () => {
  const ending = Promise.withResolvers<void>()
  const outcomes: AskOutcome[] = []
  const { driver, prompts } = scriptedDriver(async ({ text }, { happens }) => {
    if (text !== 'Go') return undefined
    happens({ type: 'ask', ask: { key: 'q', text: 'Which?', settled: (outcome) => outcomes.push(outcome) } })
    await ending.promise
    return undefined
  })
  const news = heldBack()
  const data = await temporaryFolder()
  const connect = () => news.through(lineTo(data))
  const { view, watch } = await startDriven({ driver, delivery: 'steer', connect }, data)
  await view.say('work', { text: 'Go' })
  await watch.until('question')
  news.hold()
  await view.answer(questionAt(watch, 0), 'Blue')
  ending.resolve()
  await watch.until('turn')
  news.release()
  await watch.until('turn', 2)
  expect(outcomes).toEqual([{ outcome: 'withdrawn' }])
  expect(prompts).toEqual(['Go', '> Which?\n\nBlue'])
})

/** One that works until it is told “Enough”. */
function steeredAgent() {
  const [began, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const steered: string[] = []
  const scripted = scriptedDriver(
    async () => {
      began.resolve()
      await enough.promise
      return undefined
    },
    {
      async steer({ text }) {
        steered.push(text)
        if (text.includes('Enough')) enough.resolve()
        return true
      },
    },
  )
  return { ...scripted, steered, began: began.promise, goOn: enough.promise }
}

/** A way from the hub on which news can be kept waiting. */
function heldBack() {
  let waiting: (() => void)[] | undefined
  return { through, hold: () => (waiting = []), release }

  function release() {
    const news = waiting ?? []
    waiting = undefined
    for (const deliver of news) deliver()
  }

  function through(transport: Transport): Transport {
    let deliver: Transport['onmessage']
    Object.defineProperty(transport, 'onmessage', {
      get: () => deliver,
      set(next: Transport['onmessage']) {
        deliver =
          next && ((...told) => (isNews(told[0]) && waiting ? waiting.push(() => next(...told)) : next(...told)))
      },
    })
    return transport
  }
}

function isNews(message: object): boolean {
  return 'method' in message && message.method === 'notifications/resources/updated'
}

function questionAt(watch: Watch, place: number): string {
  return watch.seen.filter(({ body }) => body.kind === 'question')[place]?.id ?? ''
}
