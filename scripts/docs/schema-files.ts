import type * as z from 'zod/mini'
import * as approval from '../../src/protocol/entries/approval.ts'
import * as attachment from '../../src/protocol/entries/attachment.ts'
import * as conversation from '../../src/protocol/entries/conversation.ts'
import * as entry from '../../src/protocol/entries/entry.ts'
import * as changes from '../../src/protocol/frames/asked/changes.ts'
import * as choices from '../../src/protocol/frames/asked/choices.ts'
import * as drivingRequest from '../../src/protocol/frames/asked/driving-request.ts'
import * as driving from '../../src/protocol/frames/driving.ts'
import * as inbox from '../../src/protocol/frames/inbox.ts'
import * as preferences from '../../src/protocol/frames/preferences.ts'
import * as preferencesChange from '../../src/protocol/frames/preferences-change.ts'
import * as timeline from '../../src/protocol/frames/timeline.ts'
import * as gateway from '../../src/protocol/tools/gateway.ts'
import * as policy from '../../src/protocol/tools/policy.ts'
import type { Shape } from './shapes.ts'
import { commentsOf } from './source-comments.ts'

/** Modules whose exported schemas get a section of their own where something links to them. */
const MODULES: [file: string, module: object][] = [
  ['entries/entry.ts', entry],
  ['entries/approval.ts', approval],
  ['entries/attachment.ts', attachment],
  ['entries/conversation.ts', conversation],
  ['frames/asked/changes.ts', changes],
  ['frames/asked/choices.ts', choices],
  ['frames/asked/driving-request.ts', drivingRequest],
  ['frames/driving.ts', driving],
  ['frames/inbox.ts', inbox],
  ['frames/preferences.ts', preferences],
  ['frames/preferences-change.ts', preferencesChange],
  ['frames/timeline.ts', timeline],
  ['tools/gateway.ts', gateway],
  ['tools/policy.ts', policy],
]
/** These have a section for each of their variants elsewhere. */
const ELSEWHERE = ['TimelineFrame']

/** Every exported object and union, by the name that it has in the code. */
export function shapesInCode(): Shape[] {
  const shapes = new Map<unknown, Shape>()
  for (const [file, module] of MODULES)
    for (const [name, schema] of Object.entries(module))
      if (isComposed(schema) && !ELSEWHERE.includes(name) && !shapes.has(schema))
        shapes.set(schema, { name, schema, comments: commentsOf(`src/protocol/${file}`, name) })
  return [...shapes.values()]
}

function isComposed(value: unknown): value is z.ZodMiniType {
  const type = (value as Partial<z.ZodMiniType> | undefined)?._zod?.def.type
  return type === 'object' || type === 'union'
}
