import { isFailure, type Line, type Result, usedOf } from './statistics.ts'

const HEADINGS = ['measure', 'baseline', 'Parley', 'compared', 'target', '']
const FIGURES = [1, 2, 3, 4]

export function drawTable(lines: Line[]): string {
  return drawColumns([HEADINGS, ...lines.map(tableCells)], FIGURES)
}

/** Rows of cells under each other; those of the columns with figures end at the same place. */
export function drawColumns(rows: string[][], figures: number[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) => draw(cells, widths, figures)).join('\n')
}

export function figure(value: number, unit: Result['unit']): string {
  return `${digits(value)} ${unit}`
}

export function tableCells(line: Line): string[] {
  if (isFailure(line)) return [line.measure, '', '', '', '', `FAILED: ${line.failed}`]
  const { measure, unit, baseline, parley } = line
  return [measure, figure(baseline, unit), figure(parley, unit), ...compared(line)]
}

function compared(row: Result): string[] {
  const { unit, baseline, parley, target } = row
  const factor = `${(parley / baseline).toFixed(2)} ×`
  if (!target) return [factor, '', '']
  const verdict = usedOf(row) <= 1 ? 'ok' : 'OVER'
  if ('atMostMore' in target)
    return [`${signed(parley - baseline)} ${unit}`, `≤ +${target.atMostMore} ${unit}`, verdict]
  if ('atLeastTimes' in target) return [factor, `≥ ${target.atLeastTimes} ×`, verdict]
  return [factor, `≤ ${target.atMostTimes} ×`, verdict]
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${digits(value)}`
}

function digits(value: number): string {
  return value.toFixed(Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
}

function draw(cells: string[], widths: number[], figures: number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0
    return figures.includes(column) ? cell.padStart(width) : cell.padEnd(width)
  })
  return padded.join('  ').trimEnd()
}
