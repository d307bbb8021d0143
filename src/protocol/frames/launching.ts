import * as z from 'zod/mini'
import { isAbsolutePath } from '../text/absolute-path.ts'
import { Name } from '../text/text.ts'

/** `needs_adapter`: it speaks ACP by another program, which is fetched once somebody allows it. */
const AGENT_STATES = ['ready', 'needs_adapter', 'needs_sign_in', 'not_installed'] as const

/** An agent that the hub can start by itself, or could. */
export const LaunchableAgent = z.object({
  id: Name,
  /** Its name as people know it. */
  name: z.string(),
  state: z.enum(AGENT_STATES),
  /** What is to be done before it can be started, in one sentence. */
  hint: z.optional(z.string()),
  /** The package that makes it speak ACP, with its exact version, where it was not found as a program. */
  adapter: z.optional(
    z.object({
      /** Its name in the npm registry. */
      package: z.string(),
      /** The only version that is fetched. */
      version: z.string(),
      /** Somebody allowed it, and it is on its way. */
      fetching: z.optional(z.literal(true)),
    }),
  ),
  /** What it cannot do, one sentence each. */
  limits: z.optional(z.array(z.string())),
})
export type LaunchableAgent = z.infer<typeof LaunchableAgent>

/** A folder where this person began a conversation. */
export const RecentFolder = z.object({
  folder: z.string(),
  /** The branch of git that it is in now, or the commit where there is none. */
  branch: z.optional(z.string()),
  /** The agent that was started there last. */
  agent: z.optional(Name),
  /** When that was, in milliseconds since 1970. */
  at: z.number(),
})
export type RecentFolder = z.infer<typeof RecentFolder>

/** What a person can choose from: agents, the folders where they were lately, and the folders below which all is allowed. */
export const Catalogue = z.object({
  agents: z.array(LaunchableAgent),
  recent: z.array(RecentFolder),
  /** Agents are started in these folders and below them, and nowhere else. */
  roots: z.array(z.string()),
  /** What to type in a terminal of that machine, with the path of this Parley. */
  commands: z.object({
    /** Registers Parley with the agents there. */
    connect: z.string(),
    /** Starts the demo. */
    demo: z.string(),
  }),
  /** The agents that have come to this hub since it started, by what their clients call themselves. */
  arrived: z.array(z.string()),
})
export type Catalogue = z.infer<typeof Catalogue>

/** One level of a folder. */
export const FolderPage = z.object({
  folder: z.string(),
  /** The folder that it is in, where that is allowed. */
  parent: z.optional(z.string()),
  /** The branch of git that it is in, or the commit where there is none. */
  branch: z.optional(z.string()),
  /** Folders in it, by name. */
  names: z.array(z.string()),
  has_more: z.boolean(),
})
export type FolderPage = z.infer<typeof FolderPage>

/** Files of a folder that fit what was looked for, the best first, by their paths in it. */
export const FolderFiles = z.object({
  folder: z.string(),
  /** At most 20. */
  paths: z.array(z.string()),
  has_more: z.boolean(),
})
export type FolderFiles = z.infer<typeof FolderFiles>

/** A file of a folder as it is now. */
export const FolderFile = z.object({
  /** In its folder. */
  path: z.string(),
  /** In bytes. */
  size: z.number(),
  text: z.optional(z.string()),
  /** Why there is no text. */
  unshown: z.optional(z.enum(['binary', 'large'])),
})
export type FolderFile = z.infer<typeof FolderFile>

/** A runner of the hub's own that has a process now. */
export const RunningAgent = z.object({
  /** Its name. */
  runner: Name,
  /** The agent's name as people know it. */
  agent: z.string(),
  folder: z.string(),
  /** Those in which an agent is awake. */
  conversations: z.array(z.string()),
  /** Its process. */
  pid: z.number(),
  /** Since it was last looked at, with all that it started, in percent of one processor. */
  cpu: z.optional(z.number()),
  /** With all that it started, in bytes. */
  memory: z.optional(z.number()),
})
export type RunningAgent = z.infer<typeof RunningAgent>

export const LONGEST_SESSION_ID = 1000

/** Sessions that an agent keeps of one folder, the newest first. */
export const SessionPage = z.object({
  agent: Name,
  folder: z.string(),
  /** At most 50. */
  sessions: z.array(
    z.object({
      /** The agent's own name for it. */
      id: z.string(),
      title: z.optional(z.string()),
      /** When something was last said in it, in milliseconds since 1970. */
      at: z.optional(z.number()),
    }),
  ),
  /** Of the page behind this one, where there is one. */
  next: z.optional(z.string()),
  /** Why there are none, of an agent that cannot tell. */
  hint: z.optional(z.string()),
})
export type SessionPage = z.infer<typeof SessionPage>

const LONGEST_PATH = 4096
const notAbsolute = 'must be the absolute path of a folder'
export const FolderPath = z
  .string(notAbsolute)
  .check(z.maxLength(LONGEST_PATH, `is longer than ${LONGEST_PATH} characters`), z.refine(isAbsolutePath, notAbsolute))

export const FilePath = z.string('must be text').check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(LONGEST_PATH, `is longer than ${LONGEST_PATH} characters`),
  z.refine((path) => !path.includes('\0'), 'must not have a zero in it'),
)

/** A new working tree of the folder's repository. */
export const NewWorktree = z.object({
  /** The branch that is made for it. */
  branch: Name,
})

/** What a conversation with an agent of the hub begins with: an agent and a folder, or a runner that has both. */
export type Launch = ({ agent: string; folder: string; worktree?: { branch: string } } | { runner: string }) & {
  /** Somebody was told how many there are already. */
  more?: true
}

/** How a conversation begins, once its runner is known. */
export interface Beginner<Begun> {
  /** The key of the command, which may come again. */
  key: string
  /** The name of the conversation that it begins with this runner. */
  nameWith(runner: string): Promise<string>
  /** Whether the same command has begun one with this runner. */
  hasBegun(runner: string): Promise<boolean>
  begin(runner: string): Promise<Begun>
}
