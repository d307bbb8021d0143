import { onTestFinished } from 'vitest'
import type { MountedCalls } from '../../../src/chat/approvals/mounted-calls.ts'
import { createFileStore } from '../../../src/files/file-store.ts'
import { createGovernor, type GovernorParts } from '../../../src/governance/calls/governor.ts'
import { createKeeping } from '../../../src/governance/calls/keeping.ts'
import { openToolPins } from '../../../src/governance/calls/tool-pins.ts'
import { endingOf } from '../../../src/governance/calls/words.ts'
import type { Clock } from '../../../src/io/clock.ts'
import type { Log } from '../../../src/log/views.ts'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { BEFORE_ALL } from '../../../src/protocol/entries/entry.ts'
import { ParleyError } from '../../../src/protocol/errors.ts'
import type { Carried } from '../../../src/protocol/frames/delivered-ids.ts'
import { LOCAL_AGENT } from '../../../src/protocol/local.ts'
import type { CallResult, MountedCall, ToolNow } from '../../../src/protocol/tools/gateway.ts'
import { newLog, openTestChat, until } from '../chat.ts'

type Called = Partial<Omit<MountedCall, 'subject'>> & { subject?: Partial<MountedCall['subject']> }

export const WROTE = { content: [{ type: 'text', text: 'Wrote' }] }

type Given = Partial<Omit<GovernorParts, 'calls'>> & {
  log?: Log
  clock?: Clock
  /** What else becomes of what is written and read. */
  otherwise?(calls: MountedCalls): Partial<MountedCalls>
}

/** A governor of calls over a real chat, and one mounted tool that does what it is told. */
export function openGoverned({ log = newLog(), clock, otherwise, ...parts }: Given = {}) {
  const { chat, view: person, problems } = openTestChat({ log, clock })
  const files = createFileStore({})
  const keeping = createKeeping(files)
  /** What the tool is now, what it does, and what it was given, by its callers and without them. */
  const tool = {
    now: { fingerprint: 'as shown' } as ToolNow | undefined,
    answer: async (_input: unknown, _expiry?: AbortSignal): Promise<CallResult> => WROTE,
    ran: [] as unknown[],
    ranAlone: [] as unknown[],
    /** How many of its callers have waited for a person. */
    waited: 0,
  }
  const report = (error: unknown) => void problems.push(error)
  const toolPins = openToolPins({
    notes: person.notes,
    report,
  })
  const governor = createGovernor({
    calls: { ...chat.mountedCalls, ...otherwise?.(chat.mountedCalls) },
    decide: () => ({ decision: 'ask' }),
    toolPins,
    ...keeping,
    alone: {
      now: async () => tool.now,
      async run({ arguments: input }, expiry) {
        tool.ranAlone.push(input)
        return tool.answer(input, expiry)
      },
    },
    report,
    ...parts,
  })
  onTestFinished(async () => {
    await governor.close()
    await files.close()
  })
  return { ...governor, chat, person, problems, log, toolPins, tool, called, bodies, asked }

  /** A call as a client makes it, and what is carried to that with the answer. */
  function called({ subject, ...more }: Called = {}): MountedCall & { carried: Carried[] } {
    const carried: Carried[] = []
    return {
      subject: {
        server: 'diary',
        tool: 'write',
        arguments: { text: 'one' },
        principal: LOCAL_AGENT,
        conversation: 'work',
        at: Date.now(),
        ...subject,
      },
      shown: 'diary_write',
      fingerprint: 'as shown',
      by: 'codex',
      signal: new AbortController().signal,
      now: async () => tool.now,
      async run(input, over, expiry) {
        tool.ran.push(input)
        const ending = await endingOf(tool.answer(input, expiry))
        await over(ending)
        if ('error' in ending) throw ending.error
        return ending.result
      },
      keepWaiting(work) {
        tool.waited++
        return work()
      },
      carry: (one) => void carried.push(one),
      carried,
      ...more,
    }
  }

  /** Everything of one kind in the conversation. */
  async function bodies<Kind extends Entry['body']['kind']>(kind: Kind) {
    const { entries } = await person.logged('work', { after: BEFORE_ALL, limit: 100 })
    return entries.flatMap(({ body }) => (body.kind === kind ? (body as Extract<Entry['body'], { kind: Kind }>) : []))
  }

  /** The newest open card, once there is one besides these. */
  async function asked(...known: string[]): Promise<string> {
    let found: string | undefined
    await until(async () => {
      const { open } = await person.conversation('work')
      found = open.find(({ id }) => !known.includes(id))?.id
      return found !== undefined
    })
    return found ?? ''
  }
}

/** A call whose caller has gone when a person is asked about it. */
export async function callAndLeave({ govern, called, asked }: ReturnType<typeof openGoverned>, more: Called = {}) {
  const gone = new AbortController()
  const call = govern(called({ ...more, signal: gone.signal }))
  const question = await asked()
  gone.abort(new Error('Gone'))
  await call.catch(() => {})
  return question
}

export async function fullDisk(): Promise<never> {
  throw new ParleyError('disk_full')
}

/** Every text of an answer. */
export function texts({ content }: CallResult): string[] {
  return (content as { text: string }[]).map(({ text }) => text)
}
