import { randomUUID } from 'node:crypto'
import type { Notes } from '../log/notes.ts'
import type { Agent } from '../protocol/entries/agent.ts'
import type { AttachmentRef } from '../protocol/entries/attachment.ts'
import { BEFORE_ALL, type Deed, type Message, type Title } from '../protocol/entries/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { DrivingEvent } from '../protocol/frames/driving.ts'
import type { Answer } from '../protocol/frames/timeline-command.ts'
import { type Capability, COMMON, can, LOCAL, mustBeAble, type Principal } from '../protocol/principal.ts'
import type { Remembering } from './approvals/policing.ts'
import type { ChatService } from './chat-service.ts'
import { namedIn } from './conversation/attached-hashes.ts'
import { newConversationName } from './conversation/conversation-name.ts'
import type { AgentService, Asking } from './delivery/agent-service.ts'
import { type AgentSessionParts, openAgentSession } from './delivery/agent-session.ts'
import { choicesSeen } from './driving/asked/choices-of.ts'
import { driverView } from './driving/driver-view.ts'
import type { DrivingEvents } from './driving/driving-events.ts'
import { drivingSeen } from './driving/driving-seen.ts'
import type { RunSettingsChange } from './driving/starting.ts'
import { startsOf, wishesOf } from './driving/wishes.ts'
import type { Inboxes } from './inbox/inbox.ts'
import { inboxView } from './inbox/inbox-view.ts'
import { actingFor, type Subscribers } from './inbox/subscriber.ts'
import type { Watermarks } from './inbox/watermarks.ts'
import type { Listener } from './listener.ts'
import { ownNotes } from './people/own-notes.ts'
import { preferencesFor } from './people/preferences.ts'
import type { PreferencesStore } from './people/preferences-store.ts'
import type { Naming } from './questions/asking.ts'
import type { Range } from './reading/reading.ts'

export type View = ReturnType<typeof viewFor>

interface ViewParts {
  service: ChatService
  inbox: Inboxes
  watermarks: Watermarks
  notes: Notes
  preferencesStore: PreferencesStore
  events: DrivingEvents
  principal: Principal
}

/** Words of a person or an agent. */
type Said = Pick<Message, 'text' | 'mime' | 'structured' | 'answers'> & { attachments?: AttachmentRef[] }
type AgentSessionOptions = Pick<AgentSessionParts, 'title' | 'folder' | 'byRequests'> & {
  conversation?: string
  /** Its connection; without it, every agent session is a visit of its own. */
  visit?: string
  began?: number
  /** Whether it is proven to work in its folder; otherwise there is none. */
  isProven?: boolean
}
type Whose = Pick<Agent, 'folder' | 'visit' | 'began'>
type SearchOptions = Parameters<ChatService['search']>[0]
type Scope = Remembering['scope']

/**
 * The chat as one principal may use it: what it may not see is not there, and what it may not do is refused. The one
 * place that knows; doors get views and ask nobody else.
 */
export function viewFor(parts: ViewParts) {
  const { service, notes, inbox, watermarks, preferencesStore, events, principal } = parts
  const { conversation: only, home } = principal
  const files = service.uploads.filesOf(principal)
  const { withFiles } = files
  const mayWish = wishesOf(service.driving.runners, principal)
  /** How people see who did it. */
  const by = principal.name === LOCAL ? 'person' : principal.name

  return {
    principal,
    by,
    /** The one conversation that there is, if there is only one. */
    only,
    /** The conversation of a call that names this one, or none. */
    placeOf: (conversation?: string) => conversation ?? only ?? home?.conversation ?? COMMON,
    can: (capability: Capability) => can(principal, capability),
    mustBeAbleTo: (capability: Capability) => mustBeAble(principal, capability),
    /** The same principal, as if there were no other conversation. */
    within: (conversation: string) =>
      viewFor({ ...parts, principal: { ...principal, conversation: seen(conversation) } }),
    /** The view of the named subscriber, where this principal may act for that one. */
    asSubscriber: (subscriber: string | undefined, known: Subscribers) =>
      viewFor({ ...parts, principal: actingFor(principal, subscriber, known) }),
    ...reading(),
    ...speaking(),
    ...asking(),
    /** The person's preferences; nobody else has any. */
    preferences() {
      mustBeAble(principal, 'speak')
      return preferencesFor({ preferences: preferencesStore.of(principal.id), maySee, mustSee })
    },
    /**
     * Tells of events in the conversations that this principal may see; no events at all mean that one was forgotten.
     */
    onEvents: (listener: (told: DrivingEvent[]) => void) =>
      events.onEvents((all) => {
        const own = all.filter(({ session_id }) => maySee(session_id))
        if (own.length > 0 || all.length === 0) listener(own)
      }),
    /** Acts for those who drive agents. */
    driver: () => driverView({ service, events, principal, seen, maySee, scope }),
  }

  function reading() {
    return {
      last: service.last,
      canResume: service.canResume,
      canSearch: service.canSearch,
      search: async (wanted: SearchOptions) => service.search({ ...wanted, conversation: scope(wanted.conversation) }),
      titled: (query: string, limit: number) => service.titled(query, only, limit),
      /** Nobody who sees one conversation learns who writes in others. */
      agentNames: async () => (only === undefined ? service.agentNames() : []),
      /** The page as it is to be read now. */
      page: async (conversation: string | undefined, range: Range) => {
        const { entries, ...more } = await service.page(scope(conversation), range)
        return { entries: await service.amended(entries), ...more }
      },
      /** The entries as they stand in the log. */
      logged: async (conversation: string, range: Range) => service.page(seen(conversation), range),
      conversation: async (conversation: string) => service.conversation(seen(conversation)),
      conversations,
      current: async () => (only === undefined ? service.current() : [only]),
      spokenInLast: async () => only ?? service.spokenInLast(),
      follow: (from: { conversation?: string; after: string }, listener: Listener) =>
        service.follow({ ...from, conversation: scope(from.conversation) }, listener),
      agents: () => service.agents().filter(maySee),
      agentState: (conversation: string) => service.agentState(seen(conversation)),
      agentStatus: (conversation = only ?? home?.conversation) =>
        service.agentStatus(conversation === undefined ? undefined : seen(conversation)),
      driving: drivingSeen({ service, only, seen, maySee }),
      maySee,
      files,
      inbox: inboxView({ service, inbox, watermarks, principal, scope, maySee }),
      notes: ownNotes(notes, principal.id),
    }
  }

  /** The acts of a person. */
  function speaking() {
    return {
      ...may('speak', seen, {
        say: (conversation: string, { text, mime, structured, attachments, answers }: Said, key?: string) =>
          withFiles(attachments, () =>
            service.say(conversation, { by, text, mime, structured, attachments, answers }, key),
          ),
        /** What its agent changed in its folder, or in one file there. */
        changes: service.changes,
        /** Why nobody answers what was said there, if that is so. */
        unanswered: service.unanswered,
        /** Other words for what was said, or none; who has it is told of the change. */
        revise: (conversation: string, message: string, text: string | undefined, key?: string) =>
          service.revise(conversation, message, text, by, key),
        revoke: (conversation: string, tool: string, key?: string, since?: string) =>
          service.revoke(conversation, tool, by, key, since),
        interrupt: (conversation: string, words?: string, key?: string) =>
          service.interrupt(conversation, words, by, key),
        rename: service.rename,
        changeRunSettings: (conversation: string, wanted: RunSettingsChange, key?: string) =>
          service.changeRunSettings(conversation, mayWish(wanted), by, key),
        async forget(conversation: string, upTo?: string) {
          await service.forget(conversation, by, upTo)
          await service.forgotten?.(conversation, { by, administers: can(principal, 'administer') })
        },
      }),
      ...may('speak', seenQuestion, {
        answer: (question: string, reply: string, key?: string, files?: AttachmentRef[]) =>
          withFiles(files, () => service.answer(question, reply, by, key, files)),
        choose: (question: string, choices: string[], key?: string, words?: string, files?: AttachmentRef[]) =>
          withFiles(files, () => service.choose(question, { choices, words }, by, key, files)),
        allow: (question: string, input: string | undefined, key?: string) => service.allow(question, input, by, key),
        allowAlways: (question: string, input: string | undefined, key?: string) =>
          service.allowAlways(question, input, by, key),
        async allowByRule(question: string, input: string | undefined, scope: Scope, key?: string) {
          if (only !== undefined) throw new ParleyError('allowed_in_one', { name: principal.name })
          if (scope === 'everyone') mustBeAble(principal, 'administer')
          return service.allowByRule(question, input, { scope, by }, key)
        },
        takeOption: (question: string, option: string, key?: string) => service.takeOption(question, option, by, key),
        deny: (question: string, reason: string | undefined, key?: string) => service.deny(question, reason, by, key),
      }),
      ...may('speak', undefined, {
        async answerAll(answers: Answer[], key?: string) {
          if (only !== undefined) await Promise.all(answers.map(({ question }) => seenQuestion(question)))
          const files = answers.flatMap(({ attachments = [] }) => attachments)
          return withFiles(files, () => service.answerAll(answers, by, key))
        },
        reveal: (entry: string) => service.reveal(entry, maySee),
        /** What can be chosen, by words and page by page. */
        choices: choicesSeen({ service, only, seen }),
        ...startsOf({ service, principal, withFiles, by, mayWish }),
      }),
    }
  }

  /** The acts of an agent; `by` is its own name. */
  function asking() {
    return {
      ...may('ask', seen, {
        tell: (conversation: string, { by, ...said }: Said & { by: string }, key?: string) => {
          const { text, mime, structured, attachments } = said
          const message = { author: 'assistant' as const, by, text, mime, structured, attachments }
          return withFiles(attachments, () => service.post(conversation, message, key, namingOf(conversation)))
        },
        record: (conversation: string, deed: Deed | Title, key?: string) =>
          withFiles(namedIn(deed), () => service.record(conversation, deed, key, namingOf(conversation))),
      }),
      ...may('ask', undefined, {
        /** The conversation where all of this was asked lately to no end, and which has no agent any more. */
        async leftBehind(title: string, whose: Whose, since: number, questions: Omit<Asking, 'key'>[]) {
          if (only === undefined)
            return service.agentService.leftBehind({ ...whose, asker: principal.id }, title, since, questions)
        },
      }),
      /** Without a conversation it is a new one, named after the title. */
      agentSession({ conversation = only, visit = randomUUID(), began, isProven, ...wanted }: AgentSessionOptions) {
        const folder = isProven ? wanted.folder : undefined
        return openAgentSession({
          agentService: agentService({ folder: folder ?? '', visit, began }),
          clock: service.clock,
          newKey: randomUUID,
          conversation: conversation === undefined ? newConversationName(wanted.title) : seen(conversation),
          ...wanted,
          folder,
        })
      },
      /** It is connected and speaks there, or has called, until it leaves. */
      attends: (conversation: string) => service.visits.attend(seen(conversation)),
      visits: (conversation: string, whose: () => Omit<Agent, 'asker'>) =>
        service.visits.enter(seen(conversation), () => ({ ...whose(), asker: principal.id })),
      lose: service.visits.lose,
      knows: (calls: string[]) => service.mountedCalls.known(principal.id, calls),
      agentService,
    }
  }

  function agentService(whose: Whose = {}): AgentService {
    mustBeAble(principal, 'ask')
    return service.agentService.for({ ...whose, asker: principal.id }, { seen, maySee })
  }

  async function conversations(page: { before?: string; limit: number }) {
    if (only === undefined) return service.conversations(page)
    const state = await service.conversation(only)
    return state.last === BEFORE_ALL || (page.before !== undefined && state.last >= page.before) ? [] : [state]
  }

  /** Each act is only for those able to do it, about what they may see: what `see` throws is thrown instead. */
  function may<Verbs extends Record<string, (...args: never[]) => Promise<unknown>>>(
    capability: Capability,
    see: ((about: string) => unknown) | undefined,
    verbs: Verbs,
  ): Verbs {
    const guarded = Object.entries(verbs).map(([name, act]) => [
      name,
      async (...args: never[]) => {
        mustBeAble(principal, capability)
        // Nothing is awaited that need not be, so that pipelined commands keep their order.
        if (only !== undefined) await see?.(args[0] as unknown as string)
        return act(...args)
      },
    ])
    return Object.fromEntries(guarded)
  }

  async function seenQuestion(question: string): Promise<string> {
    if (!maySee(await service.conversationOf(question))) throw new ParleyError('unknown_question', { question })
    return question
  }

  /** The conversation that is meant: the only one where there is one, and none where it is all of them. */
  function scope(conversation: string | undefined): string | undefined {
    return conversation === undefined ? only : seen(conversation)
  }

  /** The title and folder of its own conversation, which it may begin. */
  function namingOf(conversation: string): Naming | undefined {
    return home?.title !== undefined && conversation === home.conversation
      ? { title: home.title, folder: home.folder }
      : undefined
  }

  function seen(conversation: string): string {
    if (!maySee(conversation)) throw new ParleyError('unknown_conversation', { conversation })
    return conversation
  }

  /** The conversation must be there, too. */
  async function mustSee(conversation: string) {
    const { last } = await service.conversation(seen(conversation))
    if (last === BEFORE_ALL) throw new ParleyError('unknown_conversation', { conversation })
  }

  function maySee(conversation: string): boolean {
    return only === undefined || only === conversation
  }
}
