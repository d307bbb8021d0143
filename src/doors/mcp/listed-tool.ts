import * as z from 'zod/mini'

interface ListedTool {
  name: string
  title: string
  description: string
  input: z.ZodMiniObject
  output?: z.ZodMiniObject
}

/** A tool as clients are shown it. */
export function listed({ name, title, description, input, output }: ListedTool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: output && schemaOf(output),
    // Claude hides tools behind a search unless they say otherwise.
    _meta: { 'anthropic/alwaysLoad': true },
    // Talking changes nothing on the machine: clients that ask before every other call need not ask for this one.
    annotations: { readOnlyHint: true },
  }
}

function schemaOf(schema: z.ZodMiniObject) {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' }
}
