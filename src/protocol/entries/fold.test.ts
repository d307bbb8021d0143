import { expect, test } from 'vitest'
import type { Body, Entry, Receipt, Settlement } from './entry.ts'
import { type ConversationState, emptyConversation, fold, REPLIES_LISTED } from './fold.ts'

function entry(place: number, body: Body): Entry {
  return { id: idOf(place), conversation: 'work', at: place, body }
}

function idOf(place: number): string {
  return String(place).padStart(16, '0')
}

/** Entries one after the other, the first one with the id 1. */
function folded(...bodies: Body[]): ConversationState {
  return bodies.map((body, n) => entry(n + 1, body)).reduce(fold, emptyConversation('work'))
}

const said: Body = { kind: 'message', author: 'user', by: 'ada', text: 'Hello' }
const stop: Body = { ...said, text: 'Stop', interrupt: true }
const question: Body = { kind: 'question', by: 'robot', text: 'Deploy?', fingerprint: 'the same' }

function reply(to: number): Body {
  return { kind: 'settlement', question: idOf(to), outcome: 'answered', by: 'ada', reply: 'Yes' }
}

/** Questions with their replies: the n-th reply has the id 2n. */
function answered(count: number): ConversationState {
  return folded(...Array.from({ length: count }, (_, n) => [question, reply(2 * n + 1)]).flat())
}

function replies(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => idOf(2 * (from + n)))
}

function receipt(state: 'delivered' | 'read', more: Partial<Receipt>): Body {
  return { kind: 'receipt', state, ...more }
}

test('[U11] the last line of a conversation is one line of words, never the data of an image', () => {
  const image: Body = { ...said, text: 'iVBORw0KGgo=', mime: 'image/png' }
  const first = folded({ ...said, text: 'Two\n  lines' })
  expect(first.preview).toBe('Two lines')
  expect(fold(first, entry(2, image)).preview).toBe('Image')
})

test('[U103] the last line is what the agent said or does, and never the words of the person while there is any', () => {
  const by = 'robot'
  const call: Body = { kind: 'tool_call', by, tool_name: 'Bash', tool_args: '{"command":"npm  test"}' }
  const result: Body = { kind: 'tool_result', by, tool_name: 'Bash', result: 'ok', success: true }
  const lines: [Body, string, ConversationState['preview_of']][] = [
    [said, 'Hello', 'person'],
    [call, 'Bash: npm test', 'deed'],
    [result, 'Bash: npm test · 1 s', 'deed'],
    [{ kind: 'progress', by, text: '12 of 40\ntests' }, '12 of 40 tests', 'deed'],
    [{ kind: 'error', by, error: '\nNo network\n  at a.ts:1' }, 'Error: No network', 'deed'],
    [said, 'Error: No network', 'deed'],
    [question, 'Deploy?', undefined],
    [reply(7), 'Answered: Deploy?', undefined],
    [{ kind: 'thinking', by, reasoning: 'Hm' }, 'Answered: Deploy?', undefined],
    [{ ...call, tool_args: JSON.stringify({ path: 'a', content: 'x'.repeat(20_000) }) }, 'Bash', 'deed'],
    [{ kind: 'message', author: 'assistant', by, text: '**Done**' }, '**Done**', undefined],
    [{ kind: 'turn', by }, '**Done**', undefined],
  ]
  let state = emptyConversation('work')
  for (const [n, [body, preview, of]] of lines.entries()) {
    state = fold(state, entry(n + 1, body))
    expect([state.preview, state.preview_of]).toEqual([preview, of])
  }
  expect(state.step_at).toBeUndefined()
})

test('[U380] a question that is settled is not told as if it were open, and a call with what was allowed of it', () => {
  const input = JSON.stringify({ command: 'rm -rf build\nrm -rf dist' })
  const call: Body = { ...question, approval: { tool_name: 'Bash', input } }
  const became = (asked: Body, end: Partial<Settlement>, ...meanwhile: Body[]) => {
    const settlement: Body = { kind: 'settlement', question: idOf(1), by: 'ada', outcome: 'approved', ...end }
    return folded(asked, ...meanwhile, settlement).preview
  }
  const told: Body = { kind: 'progress', by: 'robot', text: 'Meanwhile' }
  expect(folded(call).preview).toBe('Wants to use Bash: rm -rf build ⏎ rm -rf dist')
  expect(became(call, {})).toBe('Allowed Bash: rm -rf build ⏎ rm -rf dist')
  expect(became(call, { input: '{"command":"ls build"}' }, told)).toBe('Allowed Bash: ls build')
  expect(became(call, { outcome: 'denied' })).toBe('Denied Bash: rm -rf build ⏎ rm -rf dist')
  expect(became(call, { outcome: 'withdrawn' })).toBe('Withdrawn: Bash: rm -rf build ⏎ rm -rf dist')
  expect(became(call, { outcome: 'withdrawn' }, told)).toBe('Meanwhile')
  expect(became(question, { outcome: 'answered', reply: 'Yes' })).toBe('Answered: Deploy?')
  expect(became(question, { outcome: 'answered', reply: 'Yes' }, told)).toBe('Meanwhile')
  expect(became(question, { outcome: 'expired' })).toBe('Expired: Deploy?')
})

test('[U243] of a message that was taken back the last line says so, and of one that was changed what it is now', () => {
  const revision = { kind: 'revision', by: 'ada', message: idOf(1) } as const
  const attachments = [{ hash: 'a'.repeat(64), name: 'plan.pdf', mime: 'application/pdf', size: 1 }]
  const lines: [Body, string][] = [
    [said, 'Hello'],
    [{ ...revision, text: 'Hello  there' }, 'Hello there'],
    [{ ...revision, text: '', attachments }, 'plan.pdf'],
    [revision, 'Taken back'],
  ]
  let state = emptyConversation('work')
  for (const [n, [body, preview]] of lines.entries()) {
    state = fold(state, entry(n + 1, body))
    expect([state.preview, state.preview_of]).toEqual([preview, 'person'])
  }
  expect(fold(state, entry(5, { ...said, text: 'Bye' })).preview).toBe('Bye')
})

test('[A14] a conversation keeps which tools are always allowed, each once, until they are taken back', () => {
  const want = (tool_name: string): Body => ({
    kind: 'question',
    by: 'robot',
    text: 'May I?',
    approval: { tool_name, input: '{}' },
  })
  const grant = (question: number, by = 'ada'): Body => ({
    kind: 'settlement',
    question: idOf(question),
    outcome: 'approved',
    by,
    always: 'granted',
  })
  const state = folded(
    want('Bash'),
    grant(1),
    want('Write'),
    grant(3),
    want('Bash'),
    grant(5, 'bob'),
    { kind: 'permitted_call', by: 'robot', approval: { tool_name: 'Bash', input: '{}' }, granted_by: 'bob' },
    // Nothing that is open is settled by it.
    grant(1, 'eve'),
  )
  expect(state.always?.map(({ tool_name, by, since }) => [tool_name, by, Number(since)])).toEqual([
    ['Write', 'ada', 4],
    ['Bash', 'bob', 6],
  ])
  const taken = fold(state, entry(9, { kind: 'revocation', by: 'ada', tool_name: 'Write' }))
  expect(taken.always?.map(({ tool_name }) => tool_name)).toEqual(['Bash'])
  expect(emptyConversation('work')).not.toHaveProperty('always')
})

test('[A14] [A97] what is always allowed is allowed to its asker, and taken back for all of them or for the one that is named', () => {
  const want = (asker: string): Body => ({
    kind: 'question',
    by: 'robot',
    asker,
    text: 'May I?',
    approval: { tool_name: 'Bash', input: '{}' },
  })
  const grant = (question: number): Body => ({
    kind: 'settlement',
    question: idOf(question),
    outcome: 'approved',
    by: 'ada',
    always: 'granted',
  })
  const state = folded(want('one'), grant(1), want('other'), grant(3), want('one'), grant(5))
  expect(state.always?.map(({ asker, since }) => [asker, Number(since)])).toEqual([
    ['other', 4],
    ['one', 6],
  ])
  const taken = { kind: 'revocation', by: 'ada', tool_name: 'Bash' } as const
  expect(fold(state, entry(7, taken)).always).toEqual([])
  expect(fold(state, entry(7, { ...taken, since: idOf(4) })).always?.map(({ asker }) => asker)).toEqual(['one'])
})

test('[W15] folding an entry twice changes nothing', () => {
  const asked = entry(1, question)
  const once = fold(emptyConversation('work'), asked)
  expect(fold(once, asked)).toBe(once)
})

test('[Q28] the newest unread replies are named, and those before them are a count', () => {
  const few = answered(REPLIES_LISTED)
  expect(few.replies).not.toHaveProperty('older')
  expect(few.replies.recent.map(({ settlement }) => settlement)).toEqual(replies(1, REPLIES_LISTED))
  expect(few.replies.recent[0]).toEqual({
    question: idOf(1),
    settlement: idOf(2),
    at: 1,
    fingerprint: 'the same',
    delivered: false,
  })
  const many = answered(REPLIES_LISTED + 100)
  expect(many.replies.older).toEqual({ from: idOf(2), to: idOf(200), count: 100 })
  expect(many.replies.recent.map(({ settlement }) => settlement)).toEqual(replies(101, 100 + REPLIES_LISTED))
})

test('[Q28] replies are delivered and read by name, and those that are counted up to one', () => {
  const many = answered(REPLIES_LISTED + 100)
  const next = 2 * (REPLIES_LISTED + 100) + 1
  const delivered = fold(many, entry(next, receipt('delivered', { replies: replies(101, 101) })))
  expect(delivered.replies.recent.map(({ delivered }) => delivered).slice(0, 2)).toEqual([true, false])
  expect(delivered.replies.older).toEqual(many.replies.older)
  const read = fold(delivered, entry(next + 1, receipt('read', { replies: replies(1, 60), replies_to: idOf(120) })))
  expect(read.replies.older).toEqual({ from: idOf(121), to: idOf(200), count: 40 })
  expect(read.replies.recent).toHaveLength(REPLIES_LISTED)
  // A receipt that comes twice is counted once.
  const again = fold(read, entry(next + 2, receipt('read', { replies: replies(1, 60), replies_to: idOf(120) })))
  expect(again.replies).toEqual(read.replies)
  const rest = receipt('read', { replies: replies(61, 101), replies_to: idOf(202) })
  const last = fold(again, entry(next + 3, rest))
  expect(last.replies).not.toHaveProperty('older')
  expect(last.replies.recent.map(({ settlement }) => settlement)).toEqual(replies(102, 100 + REPLIES_LISTED))
})

test('[Q28] a reply that is read while older ones are not leaves a gap, until none is unread', () => {
  const many = answered(REPLIES_LISTED + 100)
  const next = 2 * (REPLIES_LISTED + 100) + 1
  const one = receipt('read', { replies: replies(50, 50) })
  const read = fold(many, entry(next, one))
  expect(read.replies).toMatchObject({ older: { from: idOf(2), to: idOf(200), count: 99 }, gaps: true })
  // Replies that were not read are not given up, however often the receipt comes.
  const told = Array.from({ length: 150 }, (_, n) => entry(next + 1 + n, one)).reduce(fold, read)
  expect(told.replies.older).toEqual({ from: idOf(2), to: idOf(200), count: 1 })
  const rest = fold(told, entry(next + 200, receipt('read', { replies_to: idOf(200) })))
  expect([rest.replies.older, rest.replies.gaps, rest.replies.recent.length]).toEqual([undefined, true, REPLIES_LISTED])
  const all = receipt('read', { replies: replies(101, 100 + REPLIES_LISTED) })
  expect(fold(rest, entry(next + 201, all)).replies).toEqual({ recent: [] })
})

test('[Q19] a stop is known until the agent has proven to have its words, however old the messages are', () => {
  const state = folded(said, stop)
  expect(state.stop).toEqual({ last: idOf(2), delivered: idOf(0), read: idOf(0) })
  const delivered = fold(state, entry(3, receipt('delivered', { stop: idOf(2) })))
  expect(delivered.stop).toEqual({ last: idOf(2), delivered: idOf(2), read: idOf(0) })
  expect(delivered.messages).toEqual({ last: idOf(2), delivered: idOf(0), read: idOf(0) })
  const read = fold(delivered, entry(4, receipt('read', { stop: idOf(2) })))
  expect(read.stop).toEqual({ last: idOf(2), delivered: idOf(2), read: idOf(2) })
  expect(fold(read, entry(5, stop)).stop).toEqual({ last: idOf(5), delivered: idOf(2), read: idOf(2) })
  expect(folded(said)).not.toHaveProperty('stop')
})

test('[Q19] the receipts of an older Parley, which told a stop as a message, are understood', () => {
  const state = folded(stop, receipt('read', { messages_to: idOf(1) }))
  expect(state.stop).toEqual({ last: idOf(1), delivered: idOf(1), read: idOf(1) })
})

test('[I5] a conversation knows which entry was the last that says something', () => {
  const first = folded(said)
  expect(first.said).toBe(idOf(1))
  const quiet: Body[] = [
    { kind: 'progress', by: 'robot', text: 'Half way' },
    { kind: 'title', title: 'Work' },
    receipt('read', { messages_to: idOf(1) }),
    { kind: 'unknown', name: 'hologram', content: {} },
  ]
  const later = quiet.map((body, n) => entry(n + 2, body)).reduce(fold, first)
  expect([later.said, later.last]).toEqual([idOf(1), idOf(5)])
  expect(fold(later, entry(6, question)).said).toBe(idOf(6))
})

test('[Q25] an entry that this version cannot read moves the end of its conversation, and nothing else', () => {
  const before = folded(said, question, stop)
  const unknown: Body = { kind: 'unknown', name: 'hologram', content: { shape: 'cube' } }
  expect(fold(before, entry(9, unknown))).toEqual({ ...before, last: idOf(9), last_at: 9 })
})

test('[U155] a conversation tells the folder that its agent began it in, and which agent spoke or did something last', () => {
  const begun = folded({ kind: 'title', title: 'web', folder: '/src/web' }, question, said)
  expect([begun.folder, begun.agent]).toEqual(['/src/web', 'robot'])
  const renamed = fold(begun, entry(4, { kind: 'title', title: 'Fix the login' }))
  const other = fold(renamed, entry(5, { kind: 'tool_call', by: 'Codex', tool_name: 'Bash', tool_args: '{}' }))
  expect([other.title, other.folder, other.agent]).toEqual(['Fix the login', '/src/web', 'Codex'])
  expect(folded(said)).not.toHaveProperty('agent')
})
