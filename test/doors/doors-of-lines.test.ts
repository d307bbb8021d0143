import { expect, test, vi } from 'vitest'
import { otherRows } from '../support/door-table/driven.ts'
import { lineDoors, socketDoor } from '../support/door-table/line-doors.ts'
import { TABLE } from '../support/door-table/table.ts'

// Only what hangs is stopped by it.
vi.setConfig({ testTimeout: 600_000 })

test(`[S161] who may do what over the socket of the folder is as ${TABLE} says, too`, async () => {
  expect((await otherRows(async (hub) => [...(await lineDoors(hub)), socketDoor()])).join('\n')).toBe('')
})
