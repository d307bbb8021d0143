import { isFailure, type Line, type Result } from './statistics.ts'

const HEADINGS = ['measure', 'baseline', 'Parley', 'compared', 'target', '']
const FIGURES = [1, 2, 3, 4]

export function drawTable(lines: Line[]): string {
  const rows = [HEADINGS, ...lines.map(row)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) => draw(cells, widths)).join('\n')
}

function row(line: Line): string[] {
  if (isFailure(line)) return [line.measure, '', '', '', '', `FAILED: ${line.failed}`]
  const { measure, unit, baseline, parley } = line
  return [measure, `${digits(baseline)} ${unit}`, `${digits(parley)} ${unit}`, ...compared(line)]
}

function compared({ unit, baseline, parley, target }: Result): string[] {
  const times = parley / baseline
  const more = parley - baseline
  const factor = `${times.toFixed(2)} ×`
  if (!target) return [factor, '', '']
  if ('atMostMore' in target)
    return [`${signed(more)} ${unit}`, `≤ +${target.atMostMore} ${unit}`, verdict(more <= target.atMostMore)]
  if ('atLeastTimes' in target) return [factor, `≥ ${target.atLeastTimes} ×`, verdict(times >= target.atLeastTimes)]
  return [factor, `≤ ${target.atMostTimes} ×`, verdict(times <= target.atMostTimes)]
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

function draw(cells: string[], widths: number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0
    return FIGURES.includes(column) ? cell.padStart(width) : cell.padEnd(width)
  })
  return padded.join('  ').trimEnd()
}
