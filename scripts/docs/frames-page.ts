import type * as z from 'zod/mini'
import { AgentMessage, BridgeCommand, Connected } from '../../src/protocol/frames/bridge.ts'
import { LoopCommand, LoopFrame } from '../../src/protocol/frames/loop.ts'
import { RouterCommand, RouterFrame } from '../../src/protocol/frames/router.ts'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { TimelineCommand } from '../../src/protocol/frames/timeline-command.ts'
import { anchorOf, code, page, sentence, table } from './markdown.ts'
import { literalIn, variantsOf, type Words, without } from './shapes.ts'
import { type Commented, commentsOf } from './source-comments.ts'

interface Frame {
  type: string
  schema: z.ZodMiniType
  comments: Commented
}

interface DialectText {
  about: string
  from: Frame[]
  to: Frame[]
}

const FOLDER = 'src/protocol/frames'
const DIALECTS: Record<string, DialectText> = {
  bridge: {
    about:
      'For a page that shows what one agent asks and sends the reply back. The whole history comes on connect, then every question of an agent.',
    from: framesIn('bridge.ts', { BridgeCommand }),
    to: framesIn('bridge.ts', { Connected, AgentMessage }),
  },
  loop: {
    about: 'For a page that chats with an agent and shows its work: what it says, thinks, calls and gets.',
    from: framesIn('loop.ts', { LoopCommand }),
    to: framesIn('loop.ts', { LoopFrame }),
  },
  router: {
    about: 'For a program that routes questions of agents to people, and their answers back.',
    from: framesIn('router.ts', { RouterCommand }),
    to: framesIn('router.ts', { RouterFrame }),
  },
  timeline: {
    about:
      'The dialect of Parley’s own page: it resumes where it was, reads pages of history, and every command has a key. The other dialects are kept as they are; this one changes with the page.',
    from: framesIn('timeline-command.ts', { TimelineCommand }),
    to: framesIn('timeline.ts', { TimelineFrame }),
  },
}

/** Every frame of each WebSocket dialect. */
export function framesPage(words: Words, dialects: string[]): string {
  const known = Object.keys(DIALECTS)
  if (dialects.join() !== known.join()) throw new Error(`The hub speaks ${dialects}, and ${known} are described`)
  return page(
    '# Frames',
    'A WebSocket at `/ws` speaks JSON, one object in each text frame. `/ws?dialect=NAME`, or the name among the subprotocols, chooses the dialect; without one, a client may speak bridge, loop and router together. `?session=NAME` shows one conversation only. Where there are tokens, the token comes in the `Authorization` header, or beside the dialect as the subprotocol `parley-token.TOKEN`.',
    table(
      ['dialect', 'to the hub', 'from the hub'],
      Object.entries(DIALECTS).map(([name, { from, to }]) => [
        `[${name}](#${name})`,
        links(name, from, 'to'),
        links(name, to, 'from'),
      ]),
    ),
    'A frame that cannot be taken is answered with what is wrong: `refused` in timeline, `error` in the others. [Errors](errors.md) lists the sentences and their codes. Types like [Entry](shapes.md#entry) have sections of their own in [Shapes](shapes.md).',
    ...Object.entries(DIALECTS).flatMap(([name, { about, from, to }]) => [
      `## ${name}`,
      about,
      ...from.flatMap((frame) => section(words, name, frame, 'to')),
      ...to.flatMap((frame) => section(words, name, frame, 'from')),
    ]),
  )
}

function section(words: Words, dialect: string, { type, schema, comments }: Frame, way: 'to' | 'from'): string[] {
  return [
    `### ${heading(dialect, type, way)}`,
    ...(comments.about ? [sentence(comments.about)] : []),
    words.fieldTable(without(schema, 'type'), comments, `${dialect}.${type}`),
  ]
}

function heading(dialect: string, type: string, way: 'to' | 'from'): string {
  return `${dialect}: ${type} ${way} the hub`
}

function links(dialect: string, frames: Frame[], way: 'to' | 'from'): string {
  return frames.map(({ type }) => `[${code(type)}](#${anchorOf(heading(dialect, type, way))})`).join(', ')
}

/** The frames of a schema: one, or each of its variants. */
function framesIn(file: string, schemas: Record<string, z.ZodMiniType>): Frame[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const comments = commentsOf(`${FOLDER}/${file}`, name)
    const variants = variantsOf(schema)
    const all =
      variants.length > 0
        ? variants.map((one, n) => [one, comments.variants[n]] as const)
        : [[schema, comments] as const]
    return all.map(([schema, comments = { fields: new Map(), variants: [] }]) => ({
      type: literalIn(schema, 'type'),
      schema,
      comments,
    }))
  })
}
