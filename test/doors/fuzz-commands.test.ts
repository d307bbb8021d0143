import { expect, test } from 'vitest'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { TimelineCommand } from '../../src/protocol/frames/timeline-command.ts'
import { Name } from '../../src/protocol/text/text.ts'
import { SOAK } from '../log/contract/place.ts'
import { ask } from '../support/chat.ts'
import { bend, type Fields, wholeFrame } from '../support/fuzz/broken-frames.ts'
import { COMMANDS } from '../support/fuzz/schema-frames.ts'
import { openTestHub, viewOf } from '../support/hub.ts'
import { seeded } from '../support/seeded.ts'
import { connectPage, type Frame } from '../support/socket.ts'

const SEEDS = SOAK > 1 ? 100 : 1
/** Of each command, for each seed. */
const ROUNDS = 12
const first = Number(process.env.PARLEY_SEED ?? (SOAK > 1 ? Date.now() % 1_000_000 : 0))

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
const OPTIONS = [
  { id: 'once', label: 'Run it', kind: 'allow_once' as const },
  { id: 'no', label: 'Do not', kind: 'reject_once' as const },
]

test.for(Array.from({ length: SEEDS }, (_, n) => first + n))(
  '[W24] every command of the page gets one answer, however it is bent, and one that is refused changes nothing (seed %i)',
  async (seed) => {
    const dice = seeded(seed)
    const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory' })
    const view = viewOf(hub)
    const page = await connectPage(hub.url)
    let names = 0
    const stock = { questions: [''], conversations: ['mine', 'other', 'nobody'], unique: () => `word ${++names}` }
    for (let round = 0; round < ROUNDS; round++) {
      await stockUp()
      for (const make of COMMANDS.values()) {
        const good = make(dice, stock)
        await check(dice.chance(0.5) ? good : bend(dice, good))
      }
    }
    await hub.close()

    async function stockUp() {
      const known: string[] = []
      for (const conversation of ['mine', 'other']) {
        known.push((await view.say(conversation, { text: 'Hello' })).id)
        known.push(await ask(view, { by: 'bob', text: 'Colour?', options: [{ label: 'Red' }] }, conversation))
        known.push(await ask(view, { by: 'bob', text: `Deploy ${++names}?` }, conversation))
        known.push(await ask(view, { by: 'bob', text: 'Allow Bash?', approval }, conversation))
        const offering = { ...approval, options: OPTIONS }
        known.push(await ask(view, { by: 'bob', text: 'Allow Bash?', approval: offering }, conversation))
      }
      stock.questions = known
    }

    async function check(fields: Fields) {
      const text = String(wholeFrame(fields).bytes)
      const frame = JSON.parse(text)
      const before = await view.last()
      page.say(text)
      const answer = await answerTo(frame)
      expect(TimelineFrame.safeParse(answer).error, text).toBeUndefined()
      const understood = TimelineCommand.safeParse(frame).success
      if (!understood) expect(answer.type, text).toBe('refused')
      if (answer.type === 'forgotten') await stockUp()
      if (answer.type !== 'refused') return
      expect(answer.error, text).toMatch(/^(?!Something went wrong)[A-Z"].{5,400}$/s)
      expect(await view.last(), text).toBe(before)
    }

    /** What comes because something happened has no key; everything else is this answer, and none comes twice. */
    async function answerTo({ key }: { key?: unknown }): Promise<Frame> {
      for (;;) {
        const frame = await page.any()
        if (frame.key === undefined && !['refused', 'welcome'].includes(frame.type)) continue
        if (frame.type !== 'welcome') expect(frame.key).toBe(Name.safeParse(key).data)
        return frame
      }
    }
  },
)
