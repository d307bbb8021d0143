import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Driver } from '../../agents/driver.ts'
import type { Orchestrator } from '../../agents/orchestrator.ts'
import { mustBeFolder } from '../../agents/work-folder.ts'
import { orUndo } from '../../io/or-undo.ts'
import type { Flags } from '../../line/flags.ts'
import { DELIVERY_TIMINGS, type DeliveryTiming } from '../../protocol/entries/run-settings.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Runner } from '../../protocol/frames/driving.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import { runningHub } from '../hub/running-hub.ts'
import { checkedName } from '../hub/wanted-token.ts'
import type { Typed } from '../program.ts'
import { showFailedRun } from './failed-run.ts'
import { installedAgents } from './installed-agents.ts'
import { openRun, stayUntilEnded } from './open-run.ts'
import { ownLine } from './own-line.ts'
import { HELP, wantedDriver } from './wanted-driver.ts'

const MAX_SESSIONS = 5
const IDLE_MINUTES = 15
const OF_ONE = ['name', 'conversation', 'default', 'state', 'strict-chat', 'instructions', 'mcp', 'base-url'] as const
const NONE = 'No agent can be started here; parley agents lists those that could be'

type RunOptions = Pick<Typed, 'config' | 'flags'>

/** Turns an agent into a partner of conversations, until it is ended. Why it cannot is told in the page, too. */
export async function run({ config, flags }: RunOptions) {
  noMemory(config.data)
  const max_sessions = numberIn(flags, 'max-sessions', [1, 1000]) ?? MAX_SESSIONS
  const folder = folderIn(flags)
  if ([flags.acp, flags.model, flags.command].every((one) => one === undefined))
    return runInstalled({ folder, max_sessions }, { config, flags })
  const agent = flags.acp ?? flags.model ?? flags.command ?? ''
  const tried: Runner = { name: nameIn(flags, agent, folder), folder, agent, max_sessions }
  if (flags.default !== undefined && flags.conversation !== undefined)
    throw usage('--default is for a runner of every conversation, not for one with --conversation', HELP)
  try {
    const driver = await wantedDriver(flags, config)
    Object.assign(tried, { agent: driver.name, name: named('A name', nameIn(flags, driver.name, folder)) })
    stayUntilEnded([await offer(driver, tried, { config, flags })])
  } catch (error) {
    if (error instanceof ParleyError && error.code !== 'usage')
      await showFailedRun(config.data, () => ownLine(config, { surface: 'orchestrator' }), {
        ...tried,
        problem: error.message,
      })
    throw error
  }
}

/** All that are installed, in one process. One that cannot be had keeps no other from being offered. */
async function runInstalled(place: Pick<Runner, 'folder' | 'max_sessions'>, { config, flags }: RunOptions) {
  const wrong = OF_ONE.find((flag) => flags[flag] !== undefined)
  if (wrong) throw usage(`--${wrong} is for one agent; say which with --acp, --model or --command`, HELP)
  const offered: Orchestrator[] = []
  for (const { driver, problem } of await installedAgents()) {
    if (problem !== undefined) console.error(problem)
    if (!driver) continue
    const name = nameIn(flags, driver.name, place.folder)
    const tell = ({ message }: ParleyError) => console.error(message)
    const orchestrator = await offer(driver, { ...place, name, agent: driver.name }, { config, flags }).catch(
      ifRefused(tell),
    )
    if (orchestrator) offered.push(orchestrator)
  }
  if (offered.length === 0) throw new ParleyError('agent_missing', { hint: NONE })
  stayUntilEnded(offered)
}

async function offer(driver: Driver, { name, folder, max_sessions }: Runner, { config, flags }: RunOptions) {
  mustBeFolder(folder)
  const conversation = flags.conversation === undefined ? undefined : named('A conversation', flags.conversation)
  const orchestrator = await openRun({
    driver,
    folder,
    name,
    conversation,
    isDefault: flags.default !== undefined,
    triesFirst: true,
    maxSessions: max_sessions,
    idleMs: (numberIn(flags, 'idle', [0, 10_000]) ?? IDLE_MINUTES) * 60_000,
    delivery: deliveryIn(flags),
    state: flags.state === undefined ? undefined : resolve(flags.state),
    config,
    gateway: flags['no-gateway'] === undefined,
    program: process.argv[1] ?? '',
  })
  await orUndo(orchestrator.tryOut, orchestrator.close)
  const where = (await runningHub(config.data))?.url
  console.error(
    conversation === undefined
      ? `"${name}" is there for you: begin a conversation with it at ${where}`
      : `${driver.name} is there for you in "${conversation}", at ${where}`,
  )
  return orchestrator
}

/** `~` is the home folder also where no shell has put it there, as in quotes. */
function folderIn({ cwd = '.' }: Flags): string {
  return /^~($|[\\/])/.test(cwd) ? join(homedir(), cwd.slice(1)) : resolve(cwd)
}

function nameIn(flags: Flags, agent: string, folder: string): string {
  return flags.name ?? `${agent} in ${basename(folder) || folder}`
}

function named(what: string, text: string): string {
  return checkedName(what, text, HELP)
}

function numberIn(flags: Flags, flag: string, [from, to]: [number, number]): number | undefined {
  const text = flags[flag]
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) < from || Number(text) > to)
    throw usage(`--${flag} must be a number from ${from} to ${to}, not "${text}"`, HELP)
  return Number(text)
}

function deliveryIn({ delivery = 'next' }: Flags): DeliveryTiming {
  const known = DELIVERY_TIMINGS.find((one) => one === delivery)
  if (!known) throw usage(`Unknown delivery ${delivery}`, { wrong: delivery, known: DELIVERY_TIMINGS, ...HELP })
  return known
}
