import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('[S21] numbers come in the Prometheus text format, with labels that cannot break it', () => {
  const metrics = createMetrics()
  const counter = metrics.counter('calls_total', 'Calls', ['tool', 'outcome'], ['none', 'ok'])
  counter.of('a "b"\\\n', 'ok').count += 2
  metrics.gauge('open', 'Open', () => 3)
  metrics.gauge('by_kind', 'By kind', () => new Map([['x', 1]]), 'kind')
  const histogram = metrics.histogram('took_seconds', 'Took', 'tool', [0.1, 1])
  for (const seconds of [0.05, 0.1, 0.5, 7]) histogram.observe('a', seconds)
  expect(metrics.text()).toBe(`# HELP calls_total Calls
# TYPE calls_total counter
calls_total{tool="none",outcome="ok"} 0
calls_total{tool="a \\"b\\"\\\\\\n",outcome="ok"} 2
# HELP open Open
# TYPE open gauge
open 3
# HELP by_kind By kind
# TYPE by_kind gauge
by_kind{kind="x"} 1
# HELP took_seconds Took
# TYPE took_seconds histogram
took_seconds_bucket{tool="a",le="0.1"} 2
took_seconds_bucket{tool="a",le="1"} 3
took_seconds_bucket{tool="a",le="+Inf"} 4
took_seconds_sum{tool="a"} 7.65
took_seconds_count{tool="a"} 4
`)
})
