import type { Limits } from '../protocol/limits.ts'
import type { Metrics } from './metrics.ts'

interface HubGauges {
  metrics: Metrics
  limits: Readonly<Limits>
  /** WebSockets and MCP requests that are open. */
  connections(): number
  /** Questions that nobody has answered. */
  questions(): number
  /** Conversations with an agent. */
  agents(): number
  ready(): boolean
}

/** The numbers of the hub as a whole, read when somebody asks. */
export function countHub({ metrics, limits, connections, questions, agents, ready }: HubGauges) {
  metrics.gauge('parley_connections', 'WebSockets and MCP requests that are open, which a limit counts', connections)
  metrics.gauge('parley_questions_open', 'Questions without an answer', questions)
  metrics.gauge('parley_agents_present', 'Conversations with an agent', agents)
  metrics.gauge('parley_ready', 'Whether the log can be used and the hub is not closing', () => Number(ready()))
  metrics.gauge('parley_limit', 'The limits of this hub', () => Object.entries(limits), 'limit')
  metrics.gauge('parley_uptime_seconds', 'Since the process was started', () => process.uptime())
  metrics.gauge('process_resident_memory_bytes', 'Memory that the process holds', () => process.memoryUsage.rss())
  const entries = metrics.counter('parley_log_entries_total', 'Entries that became durable since the start').of()
  return { entries: added }

  function added(news: unknown[]) {
    entries.count += news.length
  }
}
