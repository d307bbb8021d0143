import { createHash } from 'node:crypto'
import { PARTS, partOf } from './parts.ts'

/**
 * Takes as many of each part that fit, chosen by name: a change of the code leaves the choice among the rest as it was.
 */
export function sample<Item extends { file: string; name: string }>(
  all: Item[],
  count: number,
  seed: string,
  fitting: (some: Item[]) => Iterator<Item, unknown, unknown> = (some) => some.values(),
): Item[] {
  const parts = Object.keys(PARTS).map((part) => all.filter(({ file }) => partOf(file) === part))
  const present = parts.filter((part) => part.length > 0)
  const each = Math.ceil(count / present.length)
  return present.flatMap((part) =>
    Iterator.from(fitting(part.toSorted(byLot)))
      .take(each)
      .toArray(),
  )

  function byLot(one: Item, other: Item): number {
    return lot(one) < lot(other) ? -1 : 1
  }

  function lot({ file, name }: Item): string {
    return createHash('sha256').update(`${seed} ${file} ${name}`).digest('hex')
  }
}
