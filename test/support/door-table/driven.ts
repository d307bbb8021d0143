import { SOAK } from '../../log/contract/place.ts'
import { type Actor, actorsOf, openTableHub, type TableHub } from './actors.ts'
import { columnsOf, type Door } from './door.ts'
import { answerAll } from './scene.ts'
import { readTable, rowOf } from './table.ts'

/** The rows that would have to be others, as they were found at two hubs, one without tokens and one with. */
export async function otherRows(doorsOf: (hub: TableHub) => Promise<Door[]>): Promise<string[]> {
  const table = readTable()
  const [open, closed] = [await openTableHub(), await openTableHub()]
  const actors = await actorsOf(open, closed)
  const following = [open, closed].map(answerAll)
  const others: string[] = []
  for (const door of await doorsOf(open)) {
    const those = columnsOf(door, actors)
    const header = those.map(({ column }) => column)
    const { columns = [], rows = new Map<string, string[]>() } = table.get(door.name) ?? {}
    if (`${columns}` !== `${header}`) others.push(`${door.name}: ${rowOf('act', header)}`)
    for (const [place, act] of door.acts.entries()) {
      const isDriven = (actor: Actor) =>
        SOAK > 1 || door.quarter === undefined || (place + actors.indexOf(actor)) % 4 === door.quarter
      const found = await cellsOf(door, act, those, (actor, at) => (isDriven(actor) ? undefined : rows.get(act)?.[at]))
      if (`${rows.get(act)}` !== `${found}`) others.push(`${door.name}: ${rowOf(act, found)}`)
    }
  }
  for (const { close } of following) close()
  return others
}

/** `known` cells are taken as they are. */
async function cellsOf(
  door: Door,
  act: string,
  actors: Actor[],
  known: (actor: Actor, place: number) => string | undefined,
): Promise<string[]> {
  const cells: string[] = []
  for (const [place, actor] of actors.entries())
    cells.push(
      known(actor, place) ??
        (await door.drive(act, actor).catch((error: Error) => {
          error.message = `${door.name}, ${act}, ${actor.column}: ${error.message}`
          throw error
        })),
    )
  return cells
}
