import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createFamily } from '../../io/family.ts'

interface ServerProcessWanted {
  command: string
  args: string[]
  folder: string
  environment: NodeJS.ProcessEnv
  /** Variables for this server alone. */
  env?: Record<string, string>
  /** The data folder that it works for. */
  data?: string
  /** Its processes outlive the server: Parley itself, which it may start. */
  spared?: string
}

/** An MCP server over stdio. Many are started by another program, such as `npx`, that would leave them behind. */
export function openServerProcess({ command, args, folder, environment, env, data, spared }: ServerProcessWanted) {
  const family = createFamily({ data, spared })
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: folder,
    env: { ...definedIn(environment), ...env, ...family.environment },
    // A server's stderr is for developers, not for people.
    stderr: 'ignore',
  })
  return { transport, look, end }

  /** The family is looked up while the server is there; later it is found only where its mark is seen. */
  function look() {
    family.headedBy(transport.pid)
    family.look()
  }

  /** It is gone, and what it left behind goes too. */
  async function end() {
    // Its pid may be another process's by now.
    family.headedBy(undefined)
    family.kill()
    await family.areGone()
  }
}

function definedIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}
