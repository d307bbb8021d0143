import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { areGone, descendantsOf, killAll, type Proc } from '../../io/descendants.ts'
import { MARK, newMark } from '../process.ts'

interface ServerProcessWanted {
  command: string
  args: string[]
  folder: string
  environment: NodeJS.ProcessEnv
  /** Variables for this server alone. */
  env?: Record<string, string>
  /** Its processes outlive the server: Parley itself, which it may start. */
  spared?: string
}

/** Never 0, which is the parent of everything. */
const NOBODY = -1

/** An MCP server over stdio. Many are started by another program, such as `npx`, that would leave them behind. */
export function openServerProcess({ command, args, folder, environment, env, spared }: ServerProcessWanted) {
  const mark = newMark()
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: folder,
    env: { ...definedIn(environment), ...env, [MARK]: mark },
    // What a server writes for developers is none of what Parley tells people.
    stderr: 'ignore',
  })
  const family = { mark: `${MARK}=${mark}`, spared }
  let known: Proc[] = []
  return { transport, look, end }

  /** The family is looked up while the server is there; later it is found only where its mark is seen. */
  function look() {
    known = descendantsOf({ ...family, pid: transport.pid ?? NOBODY })
  }

  /** It is gone, and what it left behind goes too. */
  async function end() {
    const left = [...known, ...descendantsOf({ ...family, pid: NOBODY })]
    killAll(left)
    await areGone(left)
  }
}

function definedIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}
