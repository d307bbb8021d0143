import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'

const ajv = new AjvJsonSchemaValidator()
const known = new Map<string, JsonSchemaValidator<unknown>>()

/** What a client checks results with. Each schema is compiled once for all clients of a worker. */
export const outputSchemas: jsonSchemaValidator = {
  getValidator<Result>(schema: JsonSchemaType) {
    const text = JSON.stringify(schema)
    const validator = known.get(text) ?? ajv.getValidator(schema)
    known.set(text, validator)
    return validator as JsonSchemaValidator<Result>
  },
}
