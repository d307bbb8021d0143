import type { ApprovalOption, Earlier, FileChange } from '../protocol/entries/entry.ts'
import type { Choices, ContextUse } from '../protocol/frames/driving.ts'

/** What starts agents of one kind. The one thing that differs between an ACP agent, a model and a command. */
export interface Driver {
  /** How people see the agent. */
  name: string
  /** Throws a `ParleyError` of one sentence that says what to do. */
  start(wanted: SessionWanted): Promise<DrivenSession>
  /** The sessions that it keeps of a folder, the newest first; nothing where it cannot tell. */
  sessions?(folder: string, data: string): Promise<KeptSession[] | undefined>
  /** Keeps nothing of a session that it had, as far as it is the one who keeps it. */
  forget?(session: string): Promise<void>
}

export interface KeptSession {
  id: string
  title?: string
  /** When something was last said in it. */
  at?: number
}

/** Something that was said or done in a session before it is gone on with here. */
export type EarlierDeed = Pick<Earlier, 'what' | 'text' | 'tool_name'>

export interface SessionWanted {
  conversation: string
  /** An absolute path. */
  folder: string
  /** What the agent calls a session that it had; it goes on with it where the agent can. */
  resume?: string
  /** What was said in it is wanted, too. */
  replay?: true
  /** A session of the same agent: a fork of it is begun, where the agent can. */
  fork?: string
  /** How many prompts had come to that session; absent where that is not sure, and is to be looked up. */
  prompts?: number
  /** One more was about to be given when somebody was lost: whether it came is to be looked up. */
  doubtful?: true
  mode?: string
  model?: string
  /** Parley's own server, for the agent to ask and to tell. */
  parley: ParleyServer
  /** Everything that happens, in order, from now on. */
  happens(happening: Happening): void
  /** Something to wait for before more happens: people are told of what did. */
  behind?(): Promise<void> | undefined
}

/** The way into the hub for an agent that is pinned to its conversation. */
export interface ParleyServer {
  /** Whether mounted tools are there, too, whose calls the hub decides about. */
  gateway?: true
  /** Its data folder. */
  data?: string
  stdio: { command: string; args: string[]; env: Record<string, string> }
}

export interface DrivenSession {
  /** The id by which it can be resumed; absent where the agent cannot. */
  id?: string
  /** Whether it has what was said before; otherwise it is told with the next prompt. */
  remembers: boolean
  /** Whether what was doubtful had come to it; absent where it cannot tell. */
  had?: boolean
  /** What was said in it before, where that was wanted and could be had. */
  earlier?: EarlierDeed[]
  /** How many prompts the session has when it begins, where that could be seen. */
  prompts?: number
  /** One at a time. Never throws for what the agent does: a turn that failed has ended so. */
  prompt(prompt: Prompt): Promise<TurnEnd>
  /** Gives words to the turn that runs; false where they have to wait for the next one. */
  steer?(prompt: Prompt): Promise<boolean>
  /** The turn ends within a second, or the agent is ended. */
  interrupt(): Promise<void>
  choose(wanted: { mode?: string; model?: string }): Promise<void>
  /** Nothing that it started outlives it. */
  stop(): Promise<void>
  /** Resolves when it is gone although nobody stopped it, with one sentence. */
  readonly lost: Promise<string>
}

export interface Prompt {
  text: string
  images?: { mime: string; base64: string; name: string }[]
  /**
   * Called right before it is written to the agent, so that after a crash it is known whether the agent may have it.
   * Nothing is written before it resolves, and nothing at all where that is false: the person stopped it meanwhile.
   */
  giving?(): Promise<boolean>
}

export interface TurnEnd {
  outcome: 'ended' | 'cancelled' | 'refused' | 'failed'
  /** One sentence, of a turn that failed. */
  problem?: string
  tokens?: { input: number; output: number }
  cost?: { amount: number; currency: string }
  /** The prompt was not written to the agent after all. */
  unsent?: true
}

/** A call of a tool, as far as it is known; a later one with the same id is merged into it. */
export interface ToolStep {
  id: string
  tool_name?: string
  title?: string
  input?: unknown
  state?: 'pending' | 'running' | 'done' | 'failed'
  output?: string
  changes?: FileChange[]
  locations?: { path: string; line?: number }[]
}

export type Happening =
  /** Text and thoughts are what is added; `message` tells apart what belongs together, where the agent does. */
  | { type: 'text' | 'thought'; text: string; message?: string }
  /** A whole message, said by a tool. */
  | { type: 'post'; mime: string; content: unknown }
  | { type: 'tool'; step: ToolStep }
  | { type: 'plan'; steps: { text: string; state: 'pending' | 'in_progress' | 'completed' }[] }
  | { type: 'ask'; ask: Ask }
  | {
      type: 'controls'
      modes?: Choices
      models?: Choices
      commands?: { name: string; description?: string }[]
      context?: ContextUse
    }
  /** A notice is shown until one without a text comes. */
  | { type: 'notice'; text: string }
  | { type: 'title'; title: string }
  /** The agent has nothing more to do until the person speaks. */
  | { type: 'yield' }

/** The agent waits for a person. */
export interface Ask {
  /** The same for the same question after a restart of the orchestrator, where the agent keeps it. */
  key: string
  text: string
  options?: { label: string; description?: string }[]
  multi_select?: boolean
  approval?: { tool_name: string; input: string; title?: string; options?: ApprovalOption[]; changes?: FileChange[] }
  /** The call of a tool that it is about. */
  step?: string
  /** Called once. */
  settled(outcome: AskOutcome): void
}

export type AskOutcome =
  | { outcome: 'answered'; reply: string; choices?: string[] }
  | { outcome: 'approved' | 'denied'; option?: string; input?: string; reason?: string }
  | { outcome: 'withdrawn' }
