import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { agentOverStdio } from '../support/agent.ts'
import { gotFrom } from './got.ts'
import type { Call, Line, Record, Role } from './record.ts'

/** No client of the siege gives up by itself: what hangs is found out. */
const NEVER_MS = 2 ** 31 - 1
const TOOL_USE_ID = 'claudecode/toolUseId'

export type Agent = ReturnType<typeof createAgent>

export interface Saying {
  tool: string
  input: object
  words: string
  shared?: true
  again?: true
  /** What its client calls the call, also when it called another one so before. */
  toolUseId?: string
  /** Gives up when this resolves. */
  giveUp?: Promise<unknown>
}

interface AgentParts {
  role: Role
  record: Record
  data: string
  /** Where the folders of the agents are. */
  place: string
  program?: string
}

interface Opened {
  url: Promise<string>
  line: Line
  client: Awaited<ReturnType<typeof agentOverStdio>>['client']
  pid: number
  gone: Promise<void>
}

/** An agent with its real MCP client, which starts another line whenever its line is gone. */
export function createAgent({ role, record, data, place, program }: AgentParts) {
  const { name, era, client, surface, run, session, maxWaitSeconds } = role
  const cwd = join(place, role.folder)
  mkdirSync(cwd, { recursive: true })
  let lines = 0
  let isOver = false
  /** The line that it has now, once it is there. */
  let opened: Opened | undefined
  let opening: Promise<Opened> | undefined
  return { role, call, alive, now: () => opened, leave }

  /** Its line, another one where that is gone. */
  function alive(): Promise<Opened> {
    if (opened && opened.line.goneAt !== undefined) {
      // Others ask for it, too, while the next one is not there yet.
      opened = undefined
      opening = undefined
    }
    opening ??= open()
    return opening
  }

  async function open(): Promise<Opened> {
    for (;;) {
      const line: Line = { agent: name, n: ++lines, stderr: () => '' }
      record.lines.push(line)
      record.tell(name, `starts line ${line.n}`)
      try {
        opened = await start(line)
        return opened
      } catch (error) {
        isGone(line, String(error))
      }
    }
  }

  async function start(line: Line): Promise<Opened> {
    const env = {
      PARLEY_DATA: data,
      PARLEY_KEEP: '5',
      PARLEY_MAX_RATE: '100000',
      PARLEY_MAX_WAIT: `${maxWaitSeconds}`,
      ...(run && { CLAUDE_CODE_SESSION_ID: run }),
      ...(session && { PARLEY_SESSION: session }),
    }
    const args = ['stdio', '--surface', surface]
    const { client: mcp, pid, stderr, url } = await agentOverStdio({ era, name: client, args, env, cwd, program })
    line.stderr = stderr
    const gone = new Promise<void>((resolve) => {
      mcp.onclose = () => {
        isGone(line)
        resolve()
      }
    })
    return { line, client: mcp, pid, url, gone }
  }

  function isGone(line: Line, why = '') {
    line.goneAt = record.now()
    if (isOver) return
    record.tell(name, `line ${line.n} is gone ${line.endedBy ? `after ${line.endedBy.signal}` : `by itself ${why}`}`)
    if (line.endedBy) return
    const said = line.stderr().trim().slice(-300)
    record.complaints.push(`line: ${name}'s line ${line.n} ended although nobody hurt it. ${why} It said: ${said}`)
  }

  /** Done when it is over, whatever became of it: that is in the record. */
  async function call({ tool, input, words, shared, again, toolUseId, giveUp }: Saying): Promise<Call> {
    const { line, client, gone } = await alive()
    const call: Call = record.begins({ line, tool, words, shared, again, toolUseId })
    const stopping = new AbortController()
    giveUp?.then(() => {
      if (call.ended !== undefined) return
      call.cancelled = true
      record.tell(name, `#${call.n} is given up`)
      stopping.abort('given up')
    })
    try {
      const params = { name: tool, arguments: { ...input }, ...(toolUseId && { _meta: { [TOOL_USE_ID]: toolUseId } }) }
      const result = await client.callTool(params, { timeout: NEVER_MS, signal: stopping.signal })
      const got = gotFrom(tool, result)
      if (typeof got === 'string') record.fails(call, got)
      else record.ends(call, got)
    } catch (error) {
      record.fails(call, error instanceof Error ? error.message : String(error))
    }
    // A client notices only a moment later what became of its line.
    if (call.failed !== undefined && line.endedBy) await gone
    return call
  }

  function leave() {
    isOver = true
  }
}
