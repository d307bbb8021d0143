import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'

export const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SILENCE_WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const image = { type: 'image' as const, data: PIXEL_PNG, mimeType: 'image/png' }
export const audio = { type: 'audio' as const, data: SILENCE_WAV, mimeType: 'audio/wav' }

export function text(text: string) {
  return { type: 'text' as const, text }
}

export function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text } }
}

export function says(...content: (string | ContentBlock)[]): CallToolResult {
  return { content: content.map((block) => (typeof block === 'string' ? text(block) : block)) }
}
