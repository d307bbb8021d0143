import { type Result, usedOf } from './statistics.ts'

const [WIDTH, LEFT, ROW, BAR] = [900, 430, 24, 14]
/** Where a figure is what is wanted, and the most that is shown. */
const [WANTED_AT, MOST] = [160, 2.6]

/**
 * One bar for each row: how much of its target a figure takes up. A bar that ends before the line is as wanted, one that
 * goes beyond it is not.
 */
export function drawPlot(rows: Result[]): string {
  const height = rows.length * ROW + 40
  const line = LEFT + WANTED_AT
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>How much of its target each figure takes up</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${line}" y="16" text-anchor="middle" fill="#555">as wanted</text>`,
    ...rows.map(bar),
    `<line x1="${line}" x2="${line}" y1="22" y2="${height - 10}" stroke="#555" stroke-dasharray="3 3"/>`,
    '</svg>',
    '',
  ].join('\n')
}

function bar(row: Result, n: number): string {
  const used = usedOf(row)
  const y = 28 + n * ROW
  const length = Math.round(Math.min(used, MOST) * WANTED_AT)
  const colour = used <= 1 ? '#2f7d5b' : '#b4552d'
  return [
    `<text x="${LEFT - 8}" y="${y + 11}" text-anchor="end" fill="#222">${escaped(row.measure)}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${length}" height="${BAR}" rx="2" fill="${colour}"/>`,
    `<text x="${LEFT + length + 6}" y="${y + 11}" fill="#555">${used.toFixed(2)}</text>`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
