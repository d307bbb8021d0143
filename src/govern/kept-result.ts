import type { CallResult } from '../protocol/gateway.ts'
import { maskedText } from '../protocol/masking.ts'

export interface KeptResult {
  result: string
  masked?: number
}

export async function keepResult({ content }: CallResult): Promise<KeptResult> {
  const texts = Array.isArray(content) ? content.map((block) => (block as { text?: string }).text ?? '') : []
  const { text, count } = maskedText(texts.join('\n').slice(0, 16_384))
  return { result: text, ...(count > 0 && { masked: count }) }
}
