export type Metrics = ReturnType<typeof createMetrics>

/** Numbers for whoever watches the hub, in the Prometheus text format. Counting is adding to a number. */
export function createMetrics() {
  const families: (() => string[])[] = []
  return { counter, gauge, histogram, text }

  /** Starts from nothing; `seen` are label values that are worth a zero. */
  function counter(name: string, help: string, labels: string[] = [], ...seen: string[][]) {
    const counts = new Map<string, { count: number; values: string[] }>()
    families.push(() => {
      const values = [...counts.values()].map(({ count, values }) => [labelled(labels, values), count] as const)
      return [...head(name, help, 'counter'), ...samples(name, values)]
    })
    for (const values of labels.length === 0 ? [[]] : seen) of(...values)
    return { of }

    function of(...values: string[]): { count: number } {
      // A line break is in no value: the texts are made when somebody asks.
      const key = values.length === 1 ? (values[0] as string) : values.join('\n')
      const known = counts.get(key)
      if (known) return known
      const first = { count: 0, values }
      counts.set(key, first)
      return first
    }
  }

  /** The value is read when somebody asks; by label value where there is a label. */
  function gauge(name: string, help: string, read: () => number): void
  function gauge(name: string, help: string, read: () => Iterable<[string, number]>, label: string): void
  function gauge(name: string, help: string, read: () => number | Iterable<[string, number]>, label = '') {
    families.push(() => {
      const now = read()
      const values = typeof now === 'number' ? [['', now] as const] : [...now]
      const keyed = values.map(([value, count]) => [label ? labelled([label], [value]) : '', count] as const)
      return [...head(name, help, 'gauge'), ...samples(name, keyed)]
    })
  }

  function histogram(name: string, help: string, label: string, bounds: number[]) {
    const series = new Map<string, { counts: number[]; sum: number; count: number }>()
    families.push(() => [...head(name, help, 'histogram'), ...[...series].flatMap(lines)])
    return { observe }

    function observe(value: string, measured: number) {
      const one = series.get(value) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 }
      series.set(value, one)
      one.sum += measured
      one.count++
      const at = bounds.findIndex((bound) => measured <= bound)
      if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
    }

    function lines([value, { counts, sum, count }]: [string, { counts: number[]; sum: number; count: number }]) {
      let below = 0
      const buckets = bounds.map((bound, n) => {
        below += counts[n] ?? 0
        return `${name}_bucket${labelled([label, 'le'], [value, String(bound)])} ${below}`
      })
      const own = labelled([label], [value])
      return [
        ...buckets,
        `${name}_bucket${labelled([label, 'le'], [value, '+Inf'])} ${count}`,
        `${name}_sum${own} ${sum}`,
        `${name}_count${own} ${count}`,
      ]
    }
  }

  function text(): string {
    return `${families.flatMap((lines) => lines()).join('\n')}\n`
  }
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function samples(name: string, values: Iterable<readonly [string, number]>): string[] {
  return [...values].map(([labels, value]) => `${name}${labels} ${value}`)
}

function labelled(labels: string[], values: string[]): string {
  if (labels.length === 0) return ''
  const pairs = labels.map((label, n) => `${label}="${escaped(values[n] ?? '')}"`)
  return `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}
