import { parentPort } from 'node:worker_threads'
import type { JsonSchemaType } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'

/** A message is a schema as JSON; the answer is whether clients can compile it. */
parentPort?.on('message', (schema: string) => parentPort?.postMessage(isUsable(schema)))

function isUsable(schema: string): boolean {
  try {
    // One for each, because schemas of one name must not meet.
    new AjvJsonSchemaValidator().getValidator(JSON.parse(schema) as JsonSchemaType)
    return true
  } catch {
    // Clients would get the same error, whatever it says.
    return false
  }
}
