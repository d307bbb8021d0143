import * as z from 'zod/mini'
import { Name, Text } from '../../../protocol/text/text.ts'
import { AGENT_SERVER, instructionsOf } from '../introduction.ts'
import { serveAttachments } from '../resources/attachment-resources.ts'
import { type Surface, type Tool, tool } from '../surface.ts'
import { approve } from '../tools/approve.ts'
import { askUser } from '../tools/ask-user.ts'
import { handOut } from '../tools/enclosures.ts'
import { Images, keepImages } from '../tools/images.ts'
import { Meanwhile, meanwhile, SaidList, shown } from '../tools/meanwhile.ts'
import { type AgentSurfaceParts, sendMessage } from './bridge-surface.ts'

const Told = z.object(Meanwhile)

/** The names of its tools, which no other tool beside them has. */
export const AGENT_TOOLS = ['send_message', 'ask_user', 'send_progress', 'check_messages', 'set_title', 'approve']

/** Everything an agent needs to work with a person: the bridge's tool and what goes beyond it. */
export function agentSurface(parts: AgentSurfaceParts): Surface {
  const { files } = parts
  const images = {
    shape: { images: Images },
    keep: ({ images }: { images?: Images }) => images && keepImages(images, files),
  }
  return {
    name: AGENT_SERVER,
    instructions: instructionsOf('agent', parts.page),
    tools: [
      sendMessage(parts, images),
      askUser(parts),
      sendProgress(parts),
      checkMessages(parts),
      setTitle(parts),
      approve(parts),
    ],
    serve: files && ((server) => serveAttachments(server, files)),
  }
}

function sendProgress({ sessionOf, files }: AgentSurfaceParts): Tool {
  return tool({
    name: 'send_progress',
    title: 'Tell how the work goes',
    description: `Shows the person one line about what you are doing or have just finished, and returns at once without waiting for anyone.

Use it every few minutes of longer work and at each milestone, so that the person need not ask. Keep it short; Markdown is not shown. Do not use it for questions: nobody is asked to answer it. When the person wrote something meanwhile, it comes back as "earlier_messages"; read it before you go on.`,
    needs: 'ask',
    input: z.object({ text: Text.check(z.describe('One line, such as "12 of 40 tests fixed".')), images: Images }),
    output: Told,
    async call({ text, images }, caller) {
      const kept = images && (await keepImages(images, files))
      const session = await sessionOf(caller)
      const delivery = await session.tell({ kind: 'progress', by: caller.client, text, ...kept }, caller.callKey)
      return meanwhile(await handOut(delivery, caller, files))
    },
  })
}

function checkMessages({ sessionOf, files }: AgentSurfaceParts): Tool {
  return tool({
    name: 'check_messages',
    title: 'Look for new messages',
    description: `Returns what the person wrote since your last call, oldest first, without waiting: {"messages": [{"text", "at", "in_reply_to"?, "attachments"?}]}. One with "in_reply_to" is the late answer to that earlier question of yours.

Use it between the steps of longer work, so that the person can change your course without stopping you. It is not for waiting: to wait for the person, use send_message or ask_user.`,
    needs: 'ask',
    input: z.object({}),
    output: z.object({ ...Meanwhile, messages: SaidList }),
    async call(_, caller) {
      const session = await sessionOf(caller)
      const { earlier, ...outcome } = await handOut(await session.messages(), caller, files)
      return { messages: shown(earlier), ...meanwhile({ ...outcome, earlier: [] }) }
    },
  })
}

function setTitle({ sessionOf, files }: AgentSurfaceParts): Tool {
  return tool({
    name: 'set_title',
    title: 'Name the conversation',
    description: `Names this conversation in the person's list. They may have many agents at work: a title such as "Fix the login test" tells them which one this is.

Use it once, as soon as you know what the task is, and again only when the task becomes another one.`,
    needs: 'ask',
    input: z.object({ title: Name.check(z.describe('A few words, at most 200 characters.')) }),
    output: Told,
    async call({ title }, caller) {
      const session = await sessionOf(caller)
      const delivery = await session.tell({ kind: 'title', title }, caller.callKey)
      return meanwhile(await handOut(delivery, caller, files))
    },
  })
}
