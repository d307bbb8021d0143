import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelPlace } from './model-place.ts'

export function languageModel({ provider, family, name, baseUrl, apiKey }: ModelPlace): LanguageModelV4 {
  if (family === 'anthropic') return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? 'none' })(name)
  return createOpenAICompatible({ name: provider, baseURL: baseUrl, apiKey, includeUsage: true })(name)
}
