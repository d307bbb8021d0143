import type { Change } from './changes.ts'
import { isSame, linesOf } from './file-changes.ts'
import type { Given } from './long.ts'
import { type Plan, planOf } from './reading.ts'

/** `isNew`: all of it is shown, and so its lines have the numbers that they will have there. */
export interface ChangedFile {
  path: string
  isNew: boolean
}

/** The outline to show: first the files, whose lines come later, as those of the readings do. */
interface Outline {
  files: ChangedFile[]
  readings: Outlined[] | undefined
}

export type Outlined = Exclude<Plan, { kind: 'change' }> | Omit<Extract<Plan, { kind: 'change' }>, 'making'>

/** Lines are of the part with that number: the files, and then each reading that is a change. */
export type Piece = { outline: Outline } | { part: number; lines: Change[] }

/** The number of lines that can be drawn in one frame. */
const PIECE_LINES = 400
const PIECE_LENGTH = 20_000

/** All that is to be shown of it, piece by piece. */
export function* piecesOfReading({ input, changes = [] }: Given): Generator<Piece> {
  const plans = planOf(input)
  const making = plans?.flatMap((plan) => (plan.kind === 'change' ? [plan.making] : [])) ?? []
  // Changes that the arguments show already are not shown again, so that they come first.
  const told = changes.length > 0 ? making.map((lines) => [...lines].flat()) : undefined
  const files = changes
    .map((change) => ({ path: change.path, isNew: change.old_text === undefined, lines: linesOf(change) }))
    .filter(({ lines }) => !told?.some((other) => isSame(other, lines)))
  const outlines = files.map(({ path, isNew }) => ({ path, isNew }))
  const rest =
    making.length > 0
      ? plans
      : planOf(
          input,
          outlines.map(({ path }) => path),
        )
  yield { outline: { files: outlines, readings: rest?.map(outlined) } }
  const parts: Iterable<Change[]>[] = [
    ...files.map(({ lines }) => [lines]),
    ...(told?.map((lines) => [lines]) ?? making),
  ]
  for (const [part, made] of parts.entries()) {
    for (const lines of made) for (const some of fewOf(lines)) yield { part, lines: some }
  }
}

function outlined(plan: Plan): Outlined {
  if (plan.kind !== 'change') return plan
  const { making: _, ...outline } = plan
  return outline
}

function* fewOf(lines: Change[]): Generator<Change[]> {
  let few: Change[] = []
  let length = 0
  for (const line of lines) {
    few.push(line)
    length += line.text.length
    if (few.length < PIECE_LINES && length < PIECE_LENGTH) continue
    yield few
    few = []
    length = 0
  }
  if (few.length > 0) yield few
}
