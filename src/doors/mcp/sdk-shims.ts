import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server'

// The build puts this in place of the SDK's own shims, which bring 300 KB of ajv into every start of `parley stdio`.

export const process = globalThis.process

/** The SDK makes one with every server, and asks it only for the form of an elicitation or for `fromJsonSchema`. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator<T>(_schema: JsonSchemaType): JsonSchemaValidator<T> {
    throw new Error('Parley is built without a JSON Schema validator; pass one as `jsonSchemaValidator`')
  }
}
