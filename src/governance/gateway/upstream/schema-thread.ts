import { parentPort } from 'node:worker_threads'
import type { JsonSchemaType } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'

/** Told a schema as JSON, says whether clients can compile it. */
parentPort?.on('message', (schema: string) => parentPort?.postMessage(isUsable(schema)))

function isUsable(schema: string): boolean {
  try {
    // One for each, because schemas of one name must not meet.
    new AjvJsonSchemaValidator().getValidator(JSON.parse(schema) as JsonSchemaType)
    return true
  } catch {
    // Whatever it says: clients would hear the same.
    return false
  }
}
