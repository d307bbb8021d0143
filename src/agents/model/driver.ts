import { setTimeout as pause } from 'node:timers/promises'
import type { Driver } from '../driver.ts'
import { forgetHistory } from './history.ts'
import { modelPlace } from './model-place.ts'
import type { SessionParts } from './session.ts'

interface ModelWanted extends Pick<SessionParts, 'servers' | 'strictChat' | 'instructions' | 'stateFolder'> {
  /** `PROVIDER:NAME`, such as `anthropic:claude-sonnet-4-5` or `ollama:qwen3:8b`. */
  model: string
  baseUrl?: string
  apiKey?: string
  environment?: NodeJS.ProcessEnv
  wait?: SessionParts['wait']
  now?: SessionParts['now']
  silentMs?: number
}

const SILENT_MS = 10_000

/** Drives a model by the API of its service. Throws a sentence where that cannot work. */
export function modelDriver({ model, baseUrl, apiKey, environment = process.env, ...wanted }: ModelWanted): Driver {
  const place = modelPlace({ model, baseUrl, apiKey, environment })
  return {
    name: place.name,
    async start(session) {
      // The code of a session is large, and only needed where a model is driven.
      const { openSession } = await import('./session.ts')
      return openSession({ wait: waitFor, now: Date.now, silentMs: SILENT_MS, ...wanted, place, environment }, session)
    },
    forget: async (session) => forgetHistory(wanted.stateFolder, session),
  }
}

async function waitFor(ms: number, signal: AbortSignal) {
  await pause(ms, undefined, { signal })
}
