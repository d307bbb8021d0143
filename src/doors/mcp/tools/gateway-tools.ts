import * as z from 'zod/mini'
import type { Gateway } from '../../../governance/gateway/gateway.ts'
import { Name } from '../../../protocol/text/text.ts'
import { MountState } from '../../../protocol/tools/gateway.ts'
import { ToolViews } from '../../../protocol/tools/views.ts'
import { type Tool, tool } from '../surface.ts'

const named = z.object({ name: Name })
const needs = 'administer'

/** Tools for administrators only: mounts decide what agents can do. */
export function mountTools(gateway: Gateway): Tool[] {
  return [
    tool({
      name: 'mount_list',
      title: 'List mounts',
      description:
        'Shows every mounted MCP server: its state, what is wrong, and its tools with their fingerprints; and which of them which agents see.',
      needs,
      input: z.object({}),
      output: z.object({ mounts: z.array(MountState), views: ToolViews, problem: z.optional(z.string()) }),
      call: async () => ({ mounts: gateway.states(), views: gateway.views(), problem: gateway.problem() }),
    }),
    tool({
      name: 'mount_add',
      title: 'Mount a server',
      description:
        'Mounts an MCP server under a name. Its config is what stands in mcpServers of an .mcp.json: command, args, env and cwd, or url and headers.',
      needs,
      input: z.object({ name: Name, config: z.looseObject({}, 'must be an object') }),
      output: MountState,
      call: async ({ name, config }) => gateway.add(name, config),
    }),
    tool({
      name: 'mount_remove',
      title: 'Remove a mount',
      description: 'Ends a mounted server and forgets it.',
      needs,
      input: named,
      output: z.object({}),
      async call({ name }) {
        await gateway.remove(name)
        return {}
      },
    }),
    tool({
      name: 'mount_pause',
      title: 'Pause a mount',
      description: 'Ends a mounted server and takes its tools away until it is resumed.',
      needs,
      input: named,
      output: MountState,
      call: async ({ name }) => gateway.pause(name),
    }),
    tool({
      name: 'mount_resume',
      title: 'Resume a mount',
      description: 'Starts a mounted server again that was paused.',
      needs,
      input: named,
      output: MountState,
      call: async ({ name }) => gateway.resume(name),
    }),
    tool({
      name: 'mount_sign_in',
      title: 'Sign in to a mount',
      description:
        'Begins to sign in to a mounted server at an address: gives the page that the person has to open in a browser of this machine, within ten minutes.',
      needs,
      input: named,
      output: z.object({ address: z.string() }),
      call: async ({ name }) => ({ address: await gateway.signIns.begin(name) }),
    }),
    tool({
      name: 'mount_sign_out',
      title: 'Sign out of a mount',
      description: 'Forgets how a person signed in to a mounted server.',
      needs,
      input: named,
      output: MountState,
      call: async ({ name }) => gateway.signOut(name),
    }),
    tool({
      name: 'mount_logs',
      title: 'Read the log of a mount',
      description: 'The last that a mounted server wrote for people, and what became of it.',
      needs,
      input: named,
      output: z.object({ lines: z.array(z.string()) }),
      call: async ({ name }) => ({ lines: gateway.logs(name) }),
    }),
    tool({
      name: 'view_set',
      title: 'Set what agents see',
      description:
        'Says which mounted tools which agents see, in place of what was said before. The first view that is for an agent counts: by agent, folder and token. Its servers are an object: the name of a server, or * for all others, and patterns of its tools.',
      needs,
      input: z.object({ views: ToolViews }),
      output: z.object({ views: ToolViews }),
      call: async ({ views }) => ({ views: gateway.setViews(views) }),
    }),
  ]
}
