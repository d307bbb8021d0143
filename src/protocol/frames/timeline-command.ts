import * as z from 'zod/mini'
import { AttachmentRef, MOST_ATTACHMENTS } from '../entries/attachment.ts'
import { EntryId } from '../entries/entry.ts'
import { runSettings } from '../entries/run-settings.ts'
import { NAME } from '../text/name.ts'
import { Key, Name, Text, Words } from '../text/text.ts'
import { FilePath, FolderPath, LONGEST_SESSION_ID, NewWorktree } from './launching.ts'
import { MarkChange, ReplyToSave } from './preferences-change.ts'
import { searchFilter } from './search.ts'

export const PAGE_LIMIT = 100

const limitText = `must be from 1 to ${PAGE_LIMIT}`
const PageLimit = z.int(limitText).check(z.minimum(1, limitText), z.maximum(PAGE_LIMIT, limitText))

const MOST_ANSWERS = 20

const Choices = z.array(z.string('must be text'), 'must be a list of texts').check(z.maxLength(20, 'has more than 20'))

const MOST_MARKS = 100
const tooManyMarks = `has more than ${MOST_MARKS} conversations`

/** The search text. */
const Query = z.string('must be text').check(
  z.overwrite((query) => query.toWellFormed()),
  z.maxLength(1000, 'is longer than 1,000 characters'),
)

/** Files that were uploaded before. */
const Files = z
  .array(AttachmentRef, 'must be a list of files')
  .check(z.maxLength(MOST_ATTACHMENTS, `has more than ${MOST_ATTACHMENTS} files`))

/** Words, files or both. */
const said = { text: Words, attachments: z.optional(Files) }
const saysSomething = z.refine<{ text: string; attachments?: unknown[] }>(
  ({ text, attachments = [] }) => text.trim() !== '' || attachments.length > 0,
  { error: 'must not be empty', path: ['text'] },
)

const changesSomething = z.refine<{ [Name in keyof typeof runSettings]?: string }>(
  ({ runner, mode, model, delivery }) => [runner, mode, model, delivery].some((wanted) => wanted !== undefined),
  'must name a runner, mode, model or delivery',
)

interface Where {
  text?: string
  attachments?: unknown[]
  from?: object
  resume?: string
  runner?: string
  agent?: string
  folder?: string
  worktree?: object
}

const saysWhere = z.refine<Where>(({ from, runner, agent, folder, worktree }) => {
  if (from !== undefined && runner === undefined && agent === undefined) return !folder && !worktree
  return runner === undefined ? agent !== undefined && folder !== undefined : !agent && !folder && !worktree
}, 'must name a runner, or an agent and a folder')

const saysOrResumes = z.refine<Where>(
  ({ text = '', attachments = [], resume }) => resume !== undefined || text.trim() !== '' || attachments.length > 0,
  { error: 'must not be empty', path: ['text'] },
)
/** What was said in a session comes first; the person goes on behind it. */
const saysNothingBefore = z.refine<Where>(
  ({ text = '', attachments = [], resume, from }) =>
    resume === undefined || (text === '' && !attachments.length && !from),
  { error: 'begins with what was said there, and with nothing else', path: ['resume'] },
)

const SessionId = z
  .string('must be text')
  .check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(LONGEST_SESSION_ID, `is longer than ${LONGEST_SESSION_ID} characters`),
  )

/** Each answer gets a key made of it, which takes some room. */
const LONGEST_KEY_OF_SEVERAL = NAME.longest - 4
const KeyOfSeveral = Key.check(
  z.maxLength(LONGEST_KEY_OF_SEVERAL, `is longer than ${LONGEST_KEY_OF_SEVERAL} characters`),
)

const Answer = z
  .object({
    question: EntryId,
    choices: z.optional(Choices),
    text: z.optional(Words),
    attachments: z.optional(Files),
  })
  .check(
    z.refine(
      ({ choices = [], text = '', attachments = [] }) => choices.length + text.trim().length + attachments.length > 0,
      {
        error: 'must not be empty',
        path: ['text'],
      },
    ),
  )
export type Answer = z.infer<typeof Answer>

const Answers = z.array(Answer, 'must be a list of answers').check(
  z.minLength(1, 'has no answer'),
  z.maxLength(MOST_ANSWERS, `has more than ${MOST_ANSWERS} answers`),
  z.refine(
    (answers) => new Set(answers.map(({ question }) => question)).size === answers.length,
    'has a question twice',
  ),
)

/** Commands of the page. Each carries a key that the client makes; sent again with the same key it happens once. */
export const TimelineCommand = z.discriminatedUnion('type', [
  /** The first frame. `cursor` is the last id this page has seen, `conversation` the one it shows. */
  z.object({ type: z.literal('hello'), cursor: z.optional(EntryId), conversation: z.optional(Name) }),
  /** A page that ends before an entry, begins after one, or has one or the first of a moment in its middle. */
  z.object({
    type: z.literal('read'),
    key: Key,
    conversation: Name,
    before: z.optional(EntryId),
    after: z.optional(EntryId),
    around: z.optional(EntryId),
    /** Milliseconds since 1970. */
    around_time: z.optional(z.number('must be milliseconds since 1970')),
    limit: z.optional(PageLimit),
  }),
  /** Conversations whose last entry is older than `before`, newest first. */
  z.object({ type: z.literal('list'), key: Key, before: z.optional(EntryId) }),
  /** `answers`: the entry of the conversation that it is said about. */
  z
    .object({ type: z.literal('post'), key: Key, conversation: Name, ...said, answers: z.optional(EntryId) })
    .check(saysSomething),
  /** Other words for a message, whoever has it already; without any it is taken back. By its id, or by its key. */
  z.object({ type: z.literal('revise'), key: Key, conversation: Name, message: Name, text: z.optional(Words) }),
  z.object({ type: z.literal('answer'), key: Key, question: EntryId, ...said }).check(saysSomething),
  /** The options that were ticked, and what was written beside them. */
  z.object({
    type: z.literal('choose'),
    key: Key,
    question: EntryId,
    choices: Choices,
    text: z.optional(Words),
    attachments: z.optional(Files),
  }),
  /** Answers several questions of one conversation: all of them count, or none. */
  z.object({ type: z.literal('answer_all'), key: KeyOfSeveral, answers: Answers }),
  /**
   * `always`: its tool from now on, in its conversation, or as a rule of the policy for its agent or for everyone; the
   * changed `input` is for this call only.
   */
  z
    .object({
      type: z.literal('allow'),
      key: Key,
      question: EntryId,
      input: z.optional(z.string('must be text')),
      always: z.optional(z.literal(true, 'must be true')),
      scope: z.optional(z.enum(['agent', 'everyone'], 'must be agent or everyone')),
    })
    .check(
      z.refine(({ always, scope }) => always || scope === undefined, {
        error: 'is of what is always allowed',
        path: ['scope'],
      }),
    ),
  z.object({ type: z.literal('deny'), key: Key, question: EntryId, reason: z.optional(Text) }),
  /** A tool that is always allowed in the conversation is asked about again; `since`: only what that entry allowed. */
  z.object({
    type: z.literal('revoke'),
    key: Key,
    conversation: Name,
    tool_name: Name,
    since: z.optional(EntryId),
  }),
  /** Begins a conversation with a runner, or with an agent that the hub starts in a folder. */
  z
    .object({
      type: z.literal('start'),
      key: Key,
      text: z.optional(Words),
      attachments: z.optional(Files),
      ...runSettings,
      agent: z.optional(Name),
      folder: z.optional(FolderPath),
      /** It works in a new working tree, and not in the folder itself. */
      worktree: z.optional(NewWorktree),
      /** Also where many agents are awake already. */
      more: z.optional(z.literal(true, 'must be true')),
      /** A session that the agent keeps, as `sessions` tells of it: the conversation begins with what was said there. */
      resume: z.optional(SessionId),
      /** It begins with what was said in another conversation, up to an entry; where nothing else is named, with its runner. */
      from: z.optional(
        z.object({
          conversation: Name,
          /** The last one that counts; the newest if absent. */
          entry: z.optional(EntryId),
        }),
      ),
    })
    .check(saysOrResumes, saysNothingBefore, saysWhere),
  /** Asks which agents can be started here and where, and to be told of changes from now on. */
  z.object({ type: z.literal('catalogue'), key: Key }),
  /** Folders in a folder, or in the first that is allowed; `after` is the last name of the page before. */
  z.object({
    type: z.literal('browse'),
    key: Key,
    folder: z.optional(FolderPath),
    after: z.optional(z.string('must be text')),
  }),
  /** Looks for files by their names in the folder of a conversation. */
  z.object({
    type: z.literal('find_files'),
    key: Key,
    conversation: Name,
    query: z.string('must be text').check(z.maxLength(200, 'is longer than 200 characters')),
  }),
  /** Asks for a file in the folder of a conversation, by its path there or its whole path. */
  z.object({ type: z.literal('show_file'), key: Key, conversation: Name, path: FilePath }),
  /** Asks which sessions an agent keeps of a folder; `after` is the `next` of the page before. */
  z.object({
    type: z.literal('sessions'),
    key: Key,
    agent: Name,
    folder: FolderPath,
    after: z.optional(z.string('must be text')),
  }),
  /** The adapter of this agent may be fetched, in the version that was shown. Answered when it is there. */
  z.object({
    type: z.literal('allow_adapter'),
    key: Key,
    agent: Name,
    /** The one that the person saw: no other is fetched. */
    version: Name,
  }),
  /** Asks which runners of the hub's own have a process. */
  z.object({ type: z.literal('processes'), key: Key }),
  /** Stops the turns of the runner, or of all, as Stop does, and then ends it: it begins again when somebody speaks. */
  z.object({
    type: z.literal('stop_processes'),
    key: Key,
    /** The only one that is meant. */
    runner: z.optional(Name),
  }),
  z.object({ type: z.literal('wish'), key: Key, conversation: Name, ...runSettings }).check(changesSomething),
  /** Takes one of the options that the agent offers for its call. */
  z.object({ type: z.literal('take_option'), key: Key, question: EntryId, option: Name }),
  /** Stop: the agent's waiting or next call is told so, with these words if there are any. */
  z.object({ type: z.literal('interrupt'), key: Key, conversation: Name, text: z.optional(Text) }),
  z.object({ type: z.literal('rename'), key: Key, conversation: Name, title: Name }),
  /** Removes it with everything in it. One that began after `up_to`, the last entry that was seen, stays. */
  z.object({ type: z.literal('forget'), key: Key, conversation: Name, up_to: EntryId }),
  /** `before` is the `next` of the page of hits before. With `titles` the conversations that are called so come too. */
  z.object({
    type: z.literal('search'),
    key: Key,
    query: Query,
    before: z.optional(EntryId),
    conversation: z.optional(Name),
    titles: z.optional(z.literal(true, 'must be true')),
    /** Looks for words one letter away, as the answer that this goes on from did. */
    similar: z.optional(z.literal(true, 'must be true')),
    ...searchFilter,
  }),
  /** What the person keeps about these conversations. */
  z.object({
    type: z.literal('marks'),
    key: Key,
    conversations: z.array(Name, 'must be a list of conversations').check(z.maxLength(MOST_MARKS, tooManyMarks)),
  }),
  /** Changes of marks, by conversation. */
  z.object({
    type: z.literal('mark'),
    key: Key,
    changes: z
      .record(Name, MarkChange, 'must be changes by conversation')
      .check(z.refine((changes) => Object.keys(changes).length <= MOST_MARKS, tooManyMarks)),
  }),
  /** Replaces the reply of this name, and another one where it is renamed. */
  z.object({ type: z.literal('save_reply'), key: Key, ...ReplyToSave.shape, instead_of: z.optional(Name) }),
  z.object({ type: z.literal('drop_reply'), key: Key, name: Name }),
])
export type TimelineCommand = z.infer<typeof TimelineCommand>
