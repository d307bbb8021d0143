import * as z from 'zod/mini'
import { COMPOSERS } from '../composer.ts'
import { AgentState } from '../entries/agent-state.ts'
import { Entry, EntryId } from '../entries/entry.ts'
import { ConversationState } from '../entries/fold.ts'
import { Name } from '../text/text.ts'
import { PolicyNews } from '../tools/policy.ts'
import { Driven, ListedRunner, Partial } from './driving.ts'
import { Catalogue, FolderFile, FolderFiles, FolderPage, RunningAgent, SessionPage } from './launching.ts'
import { Mark, SavedReply } from './preferences.ts'
import { SearchKind } from './search.ts'

export { TIMELINE } from './dialect-name.ts'

/** `seen`: when the agent was last active, in milliseconds since 1970. */
const agent = { state: AgentState, seen: z.number() }
export const AgentSeen = z.object(agent)
export type AgentSeen = z.infer<typeof AgentSeen>

/** The conversations in which programs answer that are no runners: these, or all. */
const Elsewhere = z.union([z.literal(true), z.array(z.string())])

/** An entry that was found: a line of it, and the places in that line that match, as UTF-16 units. */
export const Hit = z.object({
  id: EntryId,
  conversation: z.string(),
  title: z.string(),
  at: z.number(),
  kind: SearchKind,
  /** The author, where there is one. */
  by: z.optional(z.string()),
  person: z.optional(z.literal(true)),
  snippet: z.object({ text: z.string(), ranges: z.array(z.tuple([z.number(), z.number()])) }),
})
export type Hit = z.infer<typeof Hit>

/** Marks by conversation. */
const Marks = z.record(z.string(), Mark)
const SavedReplies = z.array(SavedReply)

export const TimelineFrame = z.discriminatedUnion('type', [
  /**
   * Answers `hello`. `resumed`: the entries after the cursor follow, the page keeps what it shows.
   * Otherwise the page starts anew from `conversations` and the page of the conversation it shows, which follows.
   */
  z.object({
    type: z.literal('welcome'),
    cursor: EntryId,
    resumed: z.boolean(),
    conversations: z.array(ConversationState),
    has_more: z.boolean(),
    /** Older ones with open questions, those that wait longest, and those that the person pinned or snoozed. */
    waiting: z.optional(z.array(ConversationState)),
    /** Those that are not gone. */
    agents: z.record(z.string(), AgentSeen),
    /** Whether this hub can search. */
    search: z.optional(z.boolean()),
    /** Whether people can always write, or only when asked, unless this browser was told otherwise. */
    composer: z.optional(z.enum(COMPOSERS)),
    /** Runners that offer themselves or failed to, and the state of driven agents. */
    runners: z.optional(z.array(ListedRunner)),
    elsewhere: z.optional(Elsewhere),
    driven: z.optional(z.record(z.string(), Driven)),
    /** This person may start agents, in folders of the hub's machine. */
    launches: z.optional(z.literal(true)),
    /** The person's preferences for these conversations; up to `since` nothing is news to them. */
    desk: z.optional(z.object({ since: EntryId, marks: Marks, replies: SavedReplies })),
  }),
  /** Answers `read`, and `hello` for the shown conversation (then without key). Entries oldest first. */
  z.object({
    type: z.literal('page'),
    key: z.optional(Name),
    conversation: ConversationState,
    entries: z.array(Entry),
    has_older: z.boolean(),
    has_newer: z.boolean(),
  }),
  z.object({
    type: z.literal('listed'),
    key: Name,
    conversations: z.array(ConversationState),
    has_more: z.boolean(),
    marks: z.optional(Marks),
  }),
  /**
   * Answers `search`, newest first. `indexing`: there are entries that cannot be found yet. `titled`: conversations
   * that are called so; `agents`: who can be searched for.
   */
  z.object({
    type: z.literal('found'),
    key: Name,
    hits: z.array(Hit),
    has_more: z.boolean(),
    next: z.optional(EntryId),
    indexing: z.optional(z.boolean()),
    /** No entry has the words themselves: these have words one letter away. */
    similar: z.optional(z.literal(true)),
    titled: z.optional(z.array(z.object({ id: Name, title: z.string() }))),
    /** No conversation is called so: these are called so but for one letter. */
    titled_similar: z.optional(z.literal(true)),
    agents: z.optional(z.array(z.string())),
  }),
  /** Live, of every conversation, in order, each once. */
  z.object({ type: z.literal('entries'), entries: z.array(Entry) }),
  /** The command of this key is durable as entry `id`. */
  z.object({ type: z.literal('accepted'), key: Name, id: EntryId }),
  z.object({ type: z.literal('refused'), key: z.optional(Name), code: z.string(), error: z.string() }),
  z.object({ type: z.literal('agent'), conversation: Name, ...agent }),
  /** Everyone who offers to drive conversations now, and behind them who failed to. */
  z.object({ type: z.literal('runners'), runners: z.array(ListedRunner), elsewhere: z.optional(Elsewhere) }),
  /** A frame without `driven` means that nobody drives it any longer. */
  z.object({ type: z.literal('driven'), conversation: Name, driven: z.optional(Driven) }),
  /**
   * Texts that grow. All there is of them is told after a welcome, resumed or not, and after a page that ends with the
   * newest entry: whoever is welcomed forgets what it knew of them, and one that begins at 0 is told as a whole.
   */
  z.object({
    type: z.literal('partial'),
    conversation: Name,
    by: z.string(),
    partials: z.array(Partial),
    gone: z.optional(z.array(Name)),
  }),
  /** Answers `start`: `id` is the entry of the first message. */
  z.object({ type: z.literal('started'), key: Name, conversation: Name, id: EntryId }),
  /** Answers `marks` and `mark`, and tells of what the same person changed elsewhere (then without key). */
  z.object({ type: z.literal('marks'), key: z.optional(Name), marks: Marks }),
  /** The same for `save_reply` and `drop_reply`: all of them. */
  z.object({ type: z.literal('replies'), key: z.optional(Name), replies: SavedReplies }),
  /** Answers `catalogue` and `allow_adapter`, and tells of changes (then without key). */
  z.object({ type: z.literal('catalogue'), key: z.optional(Name), ...Catalogue.shape }),
  /** Answers `browse`. */
  z.object({ type: z.literal('folders'), key: Name, ...FolderPage.shape }),
  /** Answers `find_files`. */
  z.object({ type: z.literal('files_found'), key: Name, ...FolderFiles.shape }),
  /** Answers `show_file`. */
  z.object({ type: z.literal('file'), key: Name, ...FolderFile.shape }),
  /** Answers `processes` and `stop_processes`. */
  z.object({
    type: z.literal('processes'),
    key: Name,
    /** Those that there are now. */
    processes: z.array(RunningAgent),
  }),
  /** Answers `sessions`. */
  z.object({ type: z.literal('sessions'), key: Name, ...SessionPage.shape }),
  /** Nothing of it is there any more: told to everyone, and with its key to who wanted it. */
  z.object({ type: z.literal('forgotten'), key: z.optional(Name), conversation: Name }),
  /** Sent after a welcome and on each change, to people who may see every conversation. */
  z.object({ type: z.literal('policy'), ...PolicyNews.shape }),
  /** Sent after a welcome and on each change: why the hub cannot work now, if it cannot. */
  z.object({ type: z.literal('trouble'), reason: z.optional(z.string()) }),
])
export type TimelineFrame = z.infer<typeof TimelineFrame>
