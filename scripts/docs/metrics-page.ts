import { countHub } from '../../src/ops/hub-gauges.ts'
import { createLogbook } from '../../src/ops/logbook.ts'
import { createTelemetry } from '../../src/ops/telemetry.ts'
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts'
import { code, fence, page, sentence, table } from './markdown.ts'

interface Metric {
  name: string
  type: string
  help: string
  labels: string[]
}

/** What `/metrics` tells, as the hub declares it. */
export function metricsPage(text: string): string {
  const declared = metricsDeclared()
  const told = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
  const names = declared.map(({ name }) => name)
  if (told.toSorted().join() !== names.toSorted().join())
    throw new Error(`The hub tells ${told.join(', ')}, and declared are ${names.join(', ')}`)
  return page(
    '# Metrics',
    '`GET /metrics`, in the Prometheus text format; where there are tokens, with one of any role. Counting starts with the process.',
    table(
      ['metric', 'type', 'labels', 'meaning'],
      declared.map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(', '), sentence(help)]),
    ),
    'The `outcome` of a call is `ok`, `cancelled`, `internal`, or the code of an [error](errors.md), as is the `code` of what was refused.',
    fence('yaml', 'scrape_configs:\n  - job_name: parley\n    static_configs:\n      - targets: [localhost:4117]'),
  )
}

/** The hub declares them to this as it would to Prometheus. */
function metricsDeclared(): Metric[] {
  const declared: Metric[] = []
  const add = (type: string) => (name: string, help: string, labels: string[]) =>
    declared.push({ name, type, help, labels })
  const metrics = {
    counter(name: string, help: string, labels: string[] = []) {
      add('counter')(name, help, labels)
      return { of: () => ({ count: 0 }) }
    },
    gauge(name: string, help: string, _read: unknown, label?: string) {
      add('gauge')(name, help, label ? [label] : [])
    },
    histogram(name: string, help: string, label: string) {
      add('histogram')(name, help, [label])
      return { observe() {} }
    },
    text: () => '',
  }
  const logbook = createLogbook({ level: 'error', content: false })
  createTelemetry({ logbook, metrics })
  const none = () => 0
  countHub({ metrics, limits: DEFAULT_LIMITS, connections: none, questions: none, agents: none, ready: () => true })
  logbook.close()
  return declared
}
