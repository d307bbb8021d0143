import * as z from 'zod/mini'
import { AgentMessage, Connected } from '../../../src/protocol/frames/bridge.ts'
import { LoopFrame } from '../../../src/protocol/frames/loop.ts'
import { RouterFrame } from '../../../src/protocol/frames/router.ts'
import { TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import type { Dice } from '../seeded.ts'
import type { Frame } from '../socket.ts'
import type { Fields } from './broken-frames.ts'

/** What good frames are made of. */
export interface Stock {
  questions: string[]
  conversations: string[]
  /** A text that is never the same twice. */
  unique(): string
}

export interface FuzzedDialect {
  path: string
  frames: Record<string, (dice: Dice, stock: Stock) => Fields>
  /** What the hub may say. */
  says: z.ZodMiniType
  /** The frames that answer a frame, as opposed to those that come because something happened. */
  answers(frame: Frame): boolean
  /** A frame whose answer comes after those to all frames before it, and how to know it. */
  fence(name: number): { frame: Fields; isAnswer(frame: Frame): boolean }
}

const json = JSON.stringify
const optional = (dice: Dice, name: string, value: string): Fields => (dice.chance(0.5) ? [[name, json(value)]] : [])
const keyed = (type: string, { unique }: Stock): Fields => [
  ['type', json(type)],
  ['key', json(unique())],
]

const ack = (dice: Dice, { questions, unique }: Stock): Fields => [
  ['type', '"ack"'],
  ['id', json(dice.pick(questions))],
  ['message', json(unique())],
]
const userResponse = (dice: Dice, { questions, unique }: Stock): Fields => [
  ['id', json(dice.pick(questions))],
  ['type', '"user_response"'],
  ['answer', json(unique())],
]
const chat = (dice: Dice, { conversations, unique }: Stock): Fields => [
  ['type', '"chat"'],
  ['message', json(unique())],
  ...optional(dice, 'session_id', dice.pick(conversations)),
]

const timeline: FuzzedDialect['frames'] = {
  hello: (dice, { questions, conversations }) => [
    ['type', '"hello"'],
    ...optional(dice, 'cursor', dice.pick(questions)),
    ...optional(dice, 'conversation', dice.pick(conversations)),
  ],
  read: (dice, stock) => [
    ...keyed('read', stock),
    ['conversation', json(dice.pick(stock.conversations))],
    ...optional(dice, 'before', dice.pick(stock.questions)),
    ...optional(dice, 'after', dice.pick(stock.questions)),
    ['limit', String(1 + dice.below(5))],
  ],
  list: (dice, stock) => [...keyed('list', stock), ...optional(dice, 'before', dice.pick(stock.questions))],
  post: (dice, stock) => [
    ...keyed('post', stock),
    ['conversation', json(dice.pick(stock.conversations))],
    ['text', json(stock.unique())],
  ],
  answer: (dice, stock) => [
    ...keyed('answer', stock),
    ['question', json(dice.pick(stock.questions))],
    ['text', json(stock.unique())],
  ],
  rename: (dice, stock) => [
    ...keyed('rename', stock),
    ['conversation', json(dice.pick(stock.conversations))],
    ['title', json(stock.unique())],
  ],
  search: (dice, stock) => [
    ...keyed('search', stock),
    ['query', json(dice.pick(['Deploy', 'no', '"', 'a" OR *', stock.unique()]))],
    ...optional(dice, 'before', dice.pick(stock.questions)),
    ...optional(dice, 'conversation', dice.pick(stock.conversations)),
  ],
}

const documented = {
  says: z.union([Connected, AgentMessage, LoopFrame, RouterFrame]),
  answers: ({ type }: Frame) => type === 'error',
}

/** There is no question of this id, and only a look into the log can tell. */
const noQuestion = (name: number) => String(name).padStart(16, '0')
const isRefusalOf = (name: number) => (frame: Frame) => frame.error === `Unknown question "${noQuestion(name)}"`
const ackFence = (name: number) => ({
  frame: [
    ['type', '"ack"'],
    ['id', json(noQuestion(name))],
    ['message', '"fence"'],
  ] as Fields,
  isAnswer: isRefusalOf(name),
})

export const FUZZED: Record<string, FuzzedDialect> = {
  bridge: { ...documented, path: '/ws?dialect=bridge', frames: { ack }, fence: ackFence },
  loop: {
    ...documented,
    path: '/ws?dialect=loop',
    frames: { chat },
    fence: (name) => ({
      frame: [
        ['type', '"chat"'],
        ['message', json(`fence ${name}`)],
      ],
      isAnswer: ({ message }) => message === `fence ${name}`,
    }),
  },
  router: {
    ...documented,
    path: '/ws?dialect=router',
    frames: { user_response: userResponse },
    fence: (name) => ({
      frame: [
        ['type', '"user_response"'],
        ['id', json(noQuestion(name))],
        ['answer', '"fence"'],
      ],
      isAnswer: isRefusalOf(name),
    }),
  },
  plain: { ...documented, path: '/ws?', frames: { ack, chat, user_response: userResponse }, fence: ackFence },
  timeline: {
    path: '/ws?dialect=timeline',
    frames: timeline,
    says: TimelineFrame,
    answers: ({ type, key }) =>
      ['welcome', 'listed', 'found', 'accepted', 'refused'].includes(type) || (type === 'page' && key !== undefined),
    // What is read is answered in turn, beside everything else.
    fence: (name) => ({
      frame: [['key', json(`fence ${name}`)], ...(name % 2 === 0 ? readNothing : answerNothing(name))],
      isAnswer: ({ key }) => key === `fence ${name}`,
    }),
  },
}

const readNothing: Fields = [
  ['type', '"read"'],
  ['conversation', '"nobody"'],
]

function answerNothing(name: number): Fields {
  return [
    ['type', '"answer"'],
    ['question', json(noQuestion(name))],
    ['text', '"fence"'],
  ]
}
