import type { Reply } from '../models/reply.ts'
import type { Asked } from './model-servers.ts'

/** What the command prints, and nobody writes. */
const PRINTED = 'it-is-made'
const COMMAND = `touch made.txt && echo it-''is-made`

/** The last of these that somebody said is what is answered: an agent shows its model all that was said before, too. */
const ANSWERS: Record<string, Reply> = {
  'What is in the box?': { say: ['A blue', ' hat.'] },
  'Are you sure?': { say: ['Still the blue hat.'] },
  'Think for long': { say: ['Well'], hang: true },
  'And who are you?': { say: ['The keeper of the hats.'] },
}
const MAKES = 'Make a file'

/** A model for any agent: it tells what is in the box, thinks for long, and runs one command. */
export function scriptedReply(body: Asked['body']): Reply {
  const told = JSON.stringify(body.contents ?? body.input ?? body.messages)
  const shell = shellIn(body)
  // For a title and the like.
  if (!shell) return { say: ['A hat'] }
  const [[last = ''] = []] = [...Object.keys(ANSWERS), MAKES]
    .map((words) => [words, told.lastIndexOf(words)] as const)
    .toSorted((a, b) => b[1] - a[1])
  if (last !== MAKES) return ANSWERS[last] ?? { say: ['Nothing'] }
  return told.slice(told.lastIndexOf(MAKES)).includes(PRINTED) ? { say: ['It is made.'] } : { calls: [shell] }
}

interface Tool {
  name?: string
  input_schema?: Schema
  parameters?: Schema
  parametersJsonSchema?: Schema
}

interface Schema {
  properties?: Record<string, { type?: string }>
  required?: string[]
}

/** The tool that runs commands, called as its own agent wants it called. */
function shellIn({ tools = [] }: Asked['body']): NonNullable<Reply['calls']>[number] | undefined {
  const all = (tools as (Tool & { function?: Tool; functionDeclarations?: Tool[] })[]).flatMap(
    (tool) => tool.functionDeclarations ?? [tool.function ?? tool],
  )
  const found = all.find(({ name = '' }) => /^(bash|shell|run_shell_command|exec_command|shell_command)$/i.test(name))
  if (!found) return undefined
  const { properties = {}, required = [] } = found.input_schema ?? found.parameters ?? found.parametersJsonSchema ?? {}
  const input: Record<string, unknown> = {}
  for (const name of required) input[name] = properties[name]?.type === 'boolean' ? false : 'Makes a file'
  const given = properties.command ? 'command' : 'cmd'
  input[given] = properties[given]?.type === 'array' ? ['bash', '-c', COMMAND] : COMMAND
  // Where it may write nothing, a person is asked only by a model that wants more.
  if (properties.sandbox_permissions)
    Object.assign(input, { sandbox_permissions: 'require_escalated', justification: 'Makes a file' })
  return { name: found.name ?? '', input }
}
