import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { temporaryFolder } from '../hub.ts'
import { hubOf } from '../hub-of.ts'
import { expectWhole, openPage, type Page } from '../page.ts'
import { freePort, startParley } from '../process.ts'
import type { Dice } from '../seeded.ts'
import { linesIn, SCRIPTED, scriptedIn } from './driven-agent.ts'

const REMINDED = /^This conversation goes on[\s\S]*\n\nNow the person says:\n\n/
/** Nobody waits longer for something to happen before a kill. */
const LONGEST_WAIT_MS = 3000

/**
 * A page, the hub that a line started, and `parley run` with an agent that notes what it is told and says it again: each
 * a process to be killed.
 */
export async function startKillable(messages: number, wordsOf = (n: number) => `<${n}>`) {
  const data = await temporaryFolder()
  const port = await freePort()
  const killed = new Set<number>()
  let kills = 0
  let runner = startRunner()
  const page = openPage(`http://localhost:${port}`)
  await page.started
  // A run whose agent dies before that has not begun, and ends.
  await runner.said(/is there for you/)
  return { page, sayAll, killRunner, killHub, killAgent, killOne, expectOnce }

  function startRunner() {
    const args = ['run', '--acp', SCRIPTED, '--conversation', 'work', '--cwd', data, '--data', data]
    return startParley(args, { ...scriptedIn(data), PORT: `${port}`, PARLEY_MAX_RATE: '1000000' })
  }

  async function killRunner() {
    runner.child.kill('SIGKILL')
    await runner.ended
    runner = startRunner()
  }

  /** One of the three after the other. */
  async function killOne() {
    kills++
    await [killHub, killAgent, killRunner][kills % 3]?.()
  }

  /** Whose line comes first starts the next one. */
  async function killHub() {
    const { pid, ended } = hubOf(data)
    process.kill(pid, 'SIGKILL')
    await ended()
    await page.post('elsewhere', 'Are you there?')
  }

  /** One that was not killed before, as far as one comes in time; it may be gone by itself. */
  async function killAgent() {
    const another = () => linesIn(data, 'lives').find(({ pid }) => !killed.has(Number(pid)))
    await Promise.race([page.until(another), pause(LONGEST_WAIT_MS)])
    const life = linesIn(data, 'lives').at(-1)
    if (!life) return
    killed.add(Number(life.pid))
    try {
      process.kill(Number(life.pid), 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** Kills at so many moments of chance while everything is said: at any time, or soon after the page was told something. */
  async function sayAll(dice: Dice, kills: number, kill: () => Promise<void>) {
    let said = 0
    for (let turn = 1; turn <= kills; turn++) {
      const until = Math.round((messages * turn) / kills)
      const saying = say(said, until, dice)
      said = until
      await moment(dice)
      await kill()
      await saying
    }
  }

  async function say(from: number, until: number, dice: Dice) {
    for (let n = from; n < until; n++) {
      await pause(dice.below(300))
      await page.post('work', wordsOf(n))
    }
  }

  async function moment(dice: Dice) {
    const atOnce = dice.chance(0.3)
    const more = 1 + dice.below(8)
    const laterMs = dice.below(atOnce ? 1500 : 40)
    const enough = page.entries.length + more
    if (!atOnce) await Promise.race([page.until(() => page.entries.length >= enough), pause(LONGEST_WAIT_MS)])
    await pause(laterMs)
  }

  /**
   * The agent saw each message once and in order, each prompt is one turn on the page, and each turn shows its answer
   * once: all of it, or what was said until it failed, with the reason. Resolves with how many failed.
   */
  async function expectOnce(): Promise<number> {
    await page.post('work', '<end>')
    await page.until(() => answersByTurn(page).at(-1)?.answer.includes('<end>'))
    const prompts = linesIn(data, 'prompts').map(({ text }) => String(text))
    const all = [...Array.from({ length: messages }, (_, n) => wordsOf(n)), '<end>']
    expect(prompts.flatMap((text) => text.replace(REMINDED, '').match(/<\w+>/g) ?? [])).toEqual(all)
    const turns = answersByTurn(page)
    expect(turns).toHaveLength(prompts.length)
    for (const [place, { outcome, answer, errors }] of turns.entries()) {
      const whole = `You said: ${prompts[place]}`
      if (outcome === 'ended') expect(answer).toBe(whole)
      else expect(whole.startsWith(answer)).toBe(true)
      if (outcome !== 'ended') expect(errors).toBeGreaterThan(0)
    }
    expectWhole(page)
    return turns.filter(({ outcome }) => outcome !== 'ended').length
  }
}

/** What the page shows of each turn that is over. */
function answersByTurn({ entries }: Page) {
  const turns: { outcome: string | undefined; answer: string; errors: number }[] = []
  let answer = ''
  let errors = 0
  for (const { conversation, body } of entries) {
    if (conversation !== 'work') continue
    if (body.kind === 'message' && body.author === 'assistant') answer += body.text
    if (body.kind === 'error') errors++
    if (body.kind !== 'turn') continue
    turns.push({ outcome: body.outcome, answer, errors })
    answer = ''
    errors = 0
  }
  return turns
}
