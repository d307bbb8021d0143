import type { Chat } from '../chat/chat.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'

/** What a dialect is given of its connection. */
export interface Line {
  /** All of it, or what there is of the one conversation. */
  chat: Chat
  /** The one conversation of this connection: `?session=` asks for it, or its principal is bound to it. */
  conversation?: string
  /** Who is at the other end. */
  by: string
  send(frame: string | Buffer): void | Promise<void>
  /** In one write, because each of its own costs a system call. */
  sendTogether(frames: Buffer[]): void | Promise<void>
  /** The connection cannot go on; the client reconnects and resumes. */
  fail(error: unknown): void
}

/** A client of one wire format: what it says becomes commands, what happens becomes its frames. */
export interface Speaker {
  receive(text: string): void | Promise<void>
  refuse(error: ParleyError, text: string): void
  close(): void
}

export type Dialect = (line: Line) => Speaker

/**
 * The chat as if there were no other conversation. Here and not in each dialect, so that none can forget it: what is
 * not listed is not there, and a dialect that needs it fails instead of showing too much.
 */
export function narrowed(chat: Chat, only: string): Chat {
  const view = {
    last: chat.last,
    canResume: chat.canResume,
    canSearch: chat.canSearch,
    search: async ({ conversation = only, ...wanted }) =>
      chat.search({ ...wanted, conversation: mustBeIt(conversation) }),
    agentState: chat.agentState,
    agents: () => chat.agents().filter((conversation) => conversation === only),
    current: async () => [only],
    follow: (from, listener) => chat.follow({ ...from, conversation: only }, listener),
    page: async (conversation, range) => chat.page(mustBeIt(conversation), range),
    conversation: async (conversation) => chat.conversation(mustBeIt(conversation)),
    post: async (conversation, ...message) => chat.post(mustBeIt(conversation), ...message),
    interrupt: async (conversation, ...words) => chat.interrupt(mustBeIt(conversation), ...words),
    rename: async (conversation, ...title) => chat.rename(mustBeIt(conversation), ...title),
    revoke: async (conversation, ...tool) => chat.revoke(mustBeIt(conversation), ...tool),
    conversations,
    answer: here(chat.answer),
    choose: here(chat.choose),
    allow: here(chat.allow),
    allowAlways: here(chat.allowAlways),
    deny: here(chat.deny),
  } satisfies Partial<Chat>
  return view as unknown as Chat

  async function conversations({ before }: { before?: string }) {
    const state = await chat.conversation(only)
    return state.last === BEFORE_ALL || (before !== undefined && state.last >= before) ? [] : [state]
  }

  /** The same, for questions of this conversation. */
  function here<Rest extends unknown[]>(settle: (question: string, ...rest: Rest) => Promise<Entry>) {
    return async (question: string, ...rest: Rest) => {
      const { open } = await chat.conversation(only)
      const known = open.some(({ id }) => id === question) || (await chat.entry(question))?.conversation === only
      if (!known) throw new ParleyError('unknown_question', { question })
      return settle(question, ...rest)
    }
  }

  function mustBeIt(conversation = ''): string {
    if (conversation !== only) throw new ParleyError('unknown_conversation', { conversation })
    return conversation
  }
}
