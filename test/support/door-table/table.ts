import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where it stands. */
export const TABLE = 'test/doors/table.md'

export interface DoorRows {
  columns: string[]
  /** The rows by act; a cell for each column. */
  rows: Map<string, string[]>
}

/** What may be done at each door and by whom, as it is written down. */
export function readTable(): Map<string, DoorRows> {
  const text = readFileSync(fileURLToPath(new URL('../../doors/table.md', import.meta.url)), 'utf8')
  const doors = text.split(/^## /m).slice(1)
  return new Map(doors.map((door) => [door.split('\n', 1)[0] ?? '', rowsIn(door)]))
}

function rowsIn(door: string): DoorRows {
  const [head = [], _, ...rows] = door
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
  return { columns: head.slice(1), rows: new Map(rows.map(([act = '', ...cells]) => [act, cells])) }
}

/** A row as it is written there. */
export function rowOf(act: string, cells: string[]): string {
  return `| \`${act}\` | ${cells.join(' | ')} |`
}
