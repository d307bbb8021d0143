import { ParleyError } from '../../protocol/errors.ts'
import { usage } from '../../protocol/usage.ts'
import type { Config } from '../config.ts'
import type { Typed } from '../program.ts'
import type { Client } from './client.ts'
import { CLIENTS } from './clients.ts'
import { difference } from './difference.ts'
import { type FilePlan, type Outlook, outlookOfPutting, outlookOfTaking, putIn, takeOut } from './file-plan.ts'
import { unclear } from './formats/text-format.ts'
import { isFound } from './found.ts'
import { openOwnServer } from './own-server.ts'
import { writtenByHand } from './parts.ts'
import { type Places, placesHere, shownPath } from './places.ts'
import { entryIn, filesFor, isAllowedBy, isNoted, neededByOthers } from './plan.ts'
import { tokenIn } from './server-entry.ts'

/** Registers Parley with the agents of this machine, shows what that would change, or takes it back. */
export async function connect({ config, flags, words }: Typed) {
  const places = placesHere(process.env, process.cwd())
  const isRemoving = flags.remove !== undefined
  const clients = wantedClients(words, places, isRemoving)
  if (flags.check !== undefined) return checkAll(clients, { isProject: flags.project !== undefined, config }, places)
  const server = await openOwnServer(config, flags)
  const wanted = { isProject: isSet('project'), allow: isSet('allow'), instructions: isSet('instructions') }
  const isPrinted = isSet('print')
  let isAnyThere = false
  let isAnyNew = false
  for (const client of clients) {
    // Several may share a file, so that this is looked at when the one before is done.
    if (isRemoving && words.length === 0 && !isFound(client, places) && !(await isStillConnected(client))) continue
    isAnyThere = true
    await told(client, () => server.inTurn(() => (isRemoving ? disconnect(client) : register(client))))
  }
  if (!isAnyThere) throw nobodyFound()
  if (isAnyNew) await tellWhatIsNext()

  async function tellWhatIsNext() {
    console.log('Agents have Parley from their next start; parley open shows the page')
    const missing = await server.missingHub()
    if (missing) console.log(missing.message)
  }

  /** Of one that is gone, its files may still be there, and its token may count. */
  async function isStillConnected(client: Client): Promise<boolean> {
    const files = await filesFor(client, server.placeholder(client), wanted, places)
    if (files.some(({ path }) => isNoted(path))) return true
    return server.hasToken({ client, isProject: wanted.isProject, places })
  }

  function isSet(name: string): boolean {
    return flags[name] !== undefined
  }

  async function register(client: Client) {
    if (wanted.isProject && !client.project) throw unclear(`would be one in the project, and ${client.title} has none`)
    const { entry: there, isOwn } = await entryIn(client, wanted, places)
    const shown = tokenIn(there)
    // What a project allows may be by whoever made the project.
    const isAllowed = isOwn && !wanted.isProject && isAllowedBy(there, client)
    const parts = { ...wanted, allow: wanted.allow || isAllowed }
    const asked = { client, isProject: wanted.isProject, places, shown }
    const trial = await server.entryFor({ ...asked, isTrial: true })
    const changes = (await filesFor(client, trial, parts, places)).filter(isWanted).map(outlookOfPutting)
    const where = changes.filter(isChange)
    if (isPrinted) return print(where)
    if (where.length > 0) console.log(`${client.title}: changes ${listed(where)}`)
    // Only now is it known that nothing stands against it.
    const entry = where.length === 0 ? trial : await server.entryFor({ ...asked, isTrial: false })
    const [main, ...others] = (await filesFor(client, entry, parts, places)).filter(isWanted)
    const written = tokenIn(entry)
    if (main)
      await putIn(main).catch(async (error) => {
        if (written !== shown) await (await server.tokens()).revokeShown(written)
        throw error
      })
    if (written !== shown) await (await server.tokens()).end(asked, shown)
    for (const plan of others) await putIn(plan)
    if (where.length === 0) return console.log(`${client.title}: is connected already`)
    isAnyNew = true
    console.log(`${client.title}: connected`)
    if (wanted.isProject && main && written !== undefined)
      console.log(`  ${shownPath(main.path, places)} holds a token that is yours alone: keep it out of the repository`)
    if (client.left) console.log(`  ${client.left}`)
    if (wanted.isProject && client.leftInProject) console.log(`  In a project, ${client.leftInProject}`)
    if (wanted.allow && 'none' in client.allow) console.log(`  ${client.allow.none}`)
  }

  async function disconnect(client: Client) {
    const needed = await neededByOthers(client, wanted, places, CLIENTS)
    const all = await filesFor(client, server.placeholder(client), wanted, places)
    const files = all.filter(({ path }) => !needed.includes(path))
    const { entry: there, isOwn, path } = await entryIn(client, wanted, places)
    const changes = files.map(outlookOfTaking)
    if (isPrinted) return print(changes.filter(isChange))
    for (const plan of files) await takeOut(plan)
    const where = changes.filter(isChange)
    const isLeft = there !== undefined && !isOwn
    if (where.length > 0) console.log(`${client.title}: taken out of ${listed(where)}`)
    const isNothingThere = where.length === 0 && !isLeft
    if (isLeft) throw writtenByHand(path)
    const [tokens, place] = [await server.tokens(), { client, isProject: wanted.isProject, places }]
    await tokens.end(place, tokenIn(there))
    const isRevoked = await tokens.revokeFor(place)
    const isExpected = words.length > 0 || isFound(client, places)
    if (isNothingThere && (isRevoked || isExpected))
      console.log(
        `${client.title}: ${isRevoked ? 'was not connected any more; its token is revoked' : 'was not connected'}`,
      )
  }

  function listed(changes: Outlook[]): string {
    return new Intl.ListFormat('en-GB').format(changes.map(({ path }) => shownPath(path, places)))
  }
}

function isWanted({ wanted }: FilePlan): boolean {
  return wanted.length > 0
}

/** One after the other, so that no two start a hub at once. */
async function checkAll(clients: readonly Client[], wanted: { isProject: boolean; config: Config }, places: Places) {
  const { check } = await import('./check.ts')
  for (const client of clients)
    await told(client, async () => {
      if (!(await check(client, wanted, places))) process.exitCode = 1
    })
  // What a server started and left behind holds its end of the pipe as long as it runs.
  process.exit()
}

/** What keeps one client from it keeps no other from it. */
async function told({ title }: Client, act: () => Promise<void>) {
  await act().catch((error) => {
    if (!(error instanceof ParleyError)) throw error
    process.exitCode = 1
    console.error(`${title}: ${error.message}`)
  })
}

function wantedClients(words: string[], places: Places, isRemoving: boolean): readonly Client[] {
  const known: string[] = CLIENTS.map(({ name }) => name)
  const wrong = words.find((word) => !known.includes(word))
  if (wrong !== undefined)
    throw usage(`Unknown client ${wrong}; known: ${known.join(', ')}`, {
      wrong,
      known,
      help: 'parley connect --help',
    })
  if (words.length > 0) return CLIENTS.filter(({ name }) => words.some((word) => word === name))
  const found = isRemoving ? CLIENTS : CLIENTS.filter((client) => isFound(client, places))
  if (found.length === 0) throw nobodyFound()
  return found
}

function nobodyFound() {
  const known = CLIENTS.map(({ name }) => name).join(', ')
  return usage(`No agent was found here; name one of ${known}`, { help: 'parley connect --help' })
}

function isChange({ now, next }: Outlook): boolean {
  return now !== next
}

function print(changes: Outlook[]) {
  for (const { path, now, next } of changes) console.log(difference(path, now, next, hidden))
}

/** Tokens are not for the screen. */
function hidden(text: string): string {
  return text.replaceAll(/(?<=Bearer )[^\s"']+/g, '…')
}
