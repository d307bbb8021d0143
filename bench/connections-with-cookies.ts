import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PAGE_KEY_HEADER } from '../src/protocol/frames/page-key.ts'
import { gatherCrowd } from './crowd.ts'
import { figureOf } from './figure-of.ts'
import { httpOf, PARLEY, type Running, start } from './process.ts'
import { median, type Result, written } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  // Each window is longer than two of the looks that the hub takes at who is there.
  full: { connections: 10_000, rounds: 5, windowMs: 2500 },
  smallest: { connections: 2, rounds: 1, windowMs: 50 },
}
const RECORDER = fileURLToPath(new URL('loop-recorder.ts', import.meta.url))
const PERSON = 'ada'

/** The longest task of a hub that has many browsers of a signed-in person open, beside one that has none. */
export async function connectionsWithCookies(workplace: Workplace): Promise<Result[]> {
  const { connections, rounds, windowMs } = SIZES[workplace.size]
  const [empty, full] = await Promise.all([openHub(workplace), openHub(workplace)])
  const crowd = await gatherCrowd(
    `${full.url}/ws?dialect=timeline`,
    connections,
    { type: 'hello' },
    await full.signIn(),
  )
  const quiet = await longestTasks(rounds, async () => {})
  const busy = await longestTasks(rounds, ({ signIn }) => signIn())
  const ending = await longestTasks(1, ({ revoke }) => revoke())
  crowd.leave()
  await Promise.all([empty.stop(), full.stop()])
  return [
    row(`longest task with ${written(connections)} cookies connected; with none`, quiet),
    row(`the same while somebody signs in`, busy),
    row(`the same while all of them are signed out`, ending),
  ]

  /** Measures both hubs in the same moments, so that a busy moment of the machine hits both. */
  async function longestTasks(times: number, act: (hub: Hub) => Promise<unknown>) {
    const found = { empty: [] as number[], full: [] as number[] }
    for (let round = 0; round < times; round++) {
      await Promise.all([empty.longestTask(), full.longestTask()])
      await Promise.all([act(empty), act(full), pause(windowMs)])
      const [without, withMany] = await Promise.all([empty.longestTask(), full.longestTask()])
      found.empty.push(without)
      found.full.push(withMany)
    }
    return found
  }
}

function row(measure: string, { empty, full }: { empty: number[]; full: number[] }): Result {
  return { measure, unit: 'ms', baseline: median(empty), parley: median(full), target: { atMostMore: 10 } }
}

type Hub = Awaited<ReturnType<typeof openHub>>

/** A hub of one person, which says how long its event loop was held up. */
async function openHub({ env, emptyData }: Workplace) {
  const data = emptyData()
  await token('create', PERSON, '--role', 'human')
  const hub = start(['--import', RECORDER, PARLEY, 'serve', '--port', '0', '--data', data], env())
  const url = await hub.url
  return { url, signIn, revoke: () => token('revoke', PERSON), longestTask: () => longestTaskOf(hub), stop: hub.stop }

  /** What a browser that opened a link shows from then on. */
  async function signIn(): Promise<Record<string, string>> {
    const link = await token('link', PERSON, '--port', new URL(url).port)
    const { pathname } = new URL(link)
    const response = await fetch(httpOf(url) + pathname, { method: 'POST', redirect: 'manual' })
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    const pageKey = /data-key="([^"]+)"/.exec(await response.text())?.[1]
    if (!cookie || !pageKey) throw new Error(`Signing in was answered with ${response.status}`)
    return { cookie, [PAGE_KEY_HEADER]: pageKey }
  }

  async function token(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [PARLEY, 'token', ...words, '--data', data], {
      env: env(),
    })
    return stdout.trim()
  }
}

/** Since it was asked the last time. */
function longestTaskOf(hub: Running): Promise<number> {
  return figureOf(hub, 'the longest task', /^longest task (\S+) ms$/m)
}
