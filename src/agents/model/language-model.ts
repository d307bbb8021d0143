import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ModelPlace } from './model-place.ts'

// The library writes warnings for developers to stderr, where people read what Parley says.
globalThis.AI_SDK_LOG_WARNINGS = false

export function languageModel({ provider, family, name, baseUrl, apiKey }: ModelPlace): LanguageModel {
  if (family === 'anthropic') return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? 'none' })(name)
  return createOpenAICompatible({ name: provider, baseURL: baseUrl, apiKey, includeUsage: true })(name)
}
