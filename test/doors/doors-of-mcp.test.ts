import { expect, test, vi } from 'vitest'
import { otherRows } from '../support/door-table/driven.ts'
import { mcpDoors } from '../support/door-table/mcp-doors.ts'
import { TABLE } from '../support/door-table/table.ts'

// Only what hangs is stopped by it.
vi.setConfig({ testTimeout: 600_000 })

test(`[S161] who may do what over MCP, in both eras, is as ${TABLE} says, too`, async () => {
  expect((await otherRows(mcpDoors)).join('\n')).toBe('')
})
