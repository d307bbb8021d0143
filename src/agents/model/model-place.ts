import { ParleyError } from '../../protocol/errors.ts'

/** The model, its service, and how that is reached. */
export interface ModelPlace {
  provider: string
  /** The API that the service speaks. */
  family: 'anthropic' | 'openai'
  name: string
  baseUrl: string
  apiKey?: string
}

interface Provider {
  family: ModelPlace['family']
  baseUrl: string
  needsKey?: true
}

const PROVIDERS: Record<string, Provider> = {
  anthropic: { family: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', needsKey: true },
  openai: { family: 'openai', baseUrl: 'https://api.openai.com/v1', needsKey: true },
  ollama: { family: 'openai', baseUrl: 'http://localhost:11434/v1' },
  vllm: { family: 'openai', baseUrl: 'http://localhost:8000/v1' },
}

interface ModelOptions {
  /** `PROVIDER:NAME`; any provider where there is a base URL, which then speaks as OpenAI does. */
  model: string
  baseUrl?: string
  apiKey?: string
  environment: NodeJS.ProcessEnv
}

export function modelPlace({ model, baseUrl, apiKey, environment }: ModelOptions): ModelPlace {
  const [, provider = '', name = ''] = /^([a-z][a-z0-9-]*):(.+)$/i.exec(model) ?? []
  if (!name) throw new ParleyError('no_model_name', { model })
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (!known && !baseUrl)
    throw new ParleyError('unknown_provider', { provider, known: Object.keys(PROVIDERS).join(', ') })
  if (baseUrl && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new ParleyError('no_base_url', { url: baseUrl })
  const variable = keyVariable(provider)
  const key = apiKey ?? environment[variable]
  if (!key && known?.needsKey && !baseUrl) throw new ParleyError('no_api_key', { provider, variable })
  return {
    provider,
    family: known?.family ?? 'openai',
    name,
    baseUrl: baseUrl ?? known?.baseUrl ?? '',
    apiKey: key || undefined,
  }
}

/** The environment variable with the key of a service. */
export function keyVariable(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`
}
