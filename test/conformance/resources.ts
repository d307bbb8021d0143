import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { PIXEL_PNG } from './content.ts'

export const TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template',
  description: 'One for each id.',
  mimeType: 'application/json',
}

const CONTENTS: Record<string, ReadResourceResult['contents'][number]> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { uri: 'test://static-binary', mimeType: 'image/png', blob: PIXEL_PNG },
  'test://watched-resource': { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched' },
}

export const RESOURCES: Resource[] = Object.values(CONTENTS).map(({ uri, mimeType }) => ({
  uri,
  mimeType,
  name: uri.replace('test://', ''),
  description: `The resource ${uri}.`,
}))

export function readResource(uri: string): ReadResourceResult {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const content = id === undefined ? CONTENTS[uri] : filled(uri, id)
  if (!content) throw new ResourceNotFoundError(uri)
  return { contents: [content] }
}

function filled(uri: string, id: string) {
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { uri, mimeType: TEMPLATE.mimeType, text: JSON.stringify(data) }
}
