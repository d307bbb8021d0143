import { expect, test, vi } from 'vitest'
import { openTableHub, type TableHub } from '../support/door-table/actors.ts'
import type { Door } from '../support/door-table/door.ts'
import { otherRows } from '../support/door-table/driven.ts'
import { restDoors, routeDoors } from '../support/door-table/http-doors.ts'
import { lineDoors, socketDoor } from '../support/door-table/line-doors.ts'
import { mcpDoors } from '../support/door-table/mcp-doors.ts'
import { readTable, TABLE } from '../support/door-table/table.ts'
import { wsDoors } from '../support/door-table/ws-doors.ts'

// Only what hangs is stopped by it.
vi.setConfig({ testTimeout: 600_000 })

test(`[S160] each act at each door has a row in ${TABLE}, and each row has its act`, async () => {
  const hub = await openTableHub()
  const doors = [...(await ownDoors(hub)), ...(await mcpDoors(hub)), ...(await lineDoors(hub)), socketDoor()]
  const there = doors.flatMap(({ name, acts }) => acts.map((act) => `${name}: ${act}`))
  const written = [...readTable()].flatMap(([name, { rows }]) => [...rows.keys()].map((act) => `${name}: ${act}`))
  const missing = there.filter((act) => !written.includes(act))
  const gone = written.filter((act) => !there.includes(act))
  expect({ missing, gone }).toEqual({ missing: [], gone: [] })
})

test(`[S161] who may do what at which door, and how everybody else is refused, is as ${TABLE} says`, async () => {
  // As they would have to be written there.
  expect((await otherRows(ownDoors)).join('\n')).toBe('')
})

/** The others have files of their own, because they take their time. */
async function ownDoors(hub: TableHub): Promise<Door[]> {
  return [...routeDoors(hub), ...restDoors(hub), ...(await wsDoors(hub))]
}
