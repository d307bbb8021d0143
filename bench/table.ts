import type { Result } from './statistics.ts'

const HEADINGS = ['measure', 'baseline', 'Parley', 'compared', 'target', '']

export function drawTable(results: Result[]): string {
  const rows = [HEADINGS, ...results.map(row)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) => cells.map((cell, n) => pad(cell, widths[n] ?? 0, n)).join('  ')).join('\n')
}

function row({ measure, unit, baseline, parley, target }: Result): string[] {
  const times = parley / baseline
  const more = parley - baseline
  const figures = [measure, `${digits(baseline)} ${unit}`, `${digits(parley)} ${unit}`]
  if (!target) return [...figures, `${times.toFixed(2)} ×`, '', '']
  if ('atMostMore' in target)
    return [
      ...figures,
      `${signed(more)} ${unit}`,
      `≤ +${target.atMostMore} ${unit}`,
      verdict(more <= target.atMostMore),
    ]
  if ('atLeastTimes' in target)
    return [...figures, `${times.toFixed(2)} ×`, `≥ ${target.atLeastTimes} ×`, verdict(times >= target.atLeastTimes)]
  return [...figures, `${times.toFixed(2)} ×`, `≤ ${target.atMostTimes} ×`, verdict(times <= target.atMostTimes)]
}

function verdict(ok: boolean): string {
  return ok ? 'ok' : 'OVER'
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${digits(value)}`
}

function digits(value: number): string {
  return value.toFixed(Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 || column === 5 ? cell.padEnd(width) : cell.padStart(width)
}
