import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawPlot } from './plot.ts'
import { isFailure, type Line, type Result } from './statistics.ts'
import { tableCells } from './table.ts'

/** The measures of what a message passes; a run that takes all of them is written down. */
export const REPORTED = [
  'cold-start',
  'round-trip',
  'talking',
  'many-agents',
  'opening',
  'memory',
  'growing-memory',
  'fan-out',
]

const DOCUMENTS = ['docs/performance.md', 'README.md'].map((path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url)),
)
const PLOT = fileURLToPath(new URL('../docs/images/performance.svg', import.meta.url))
const FIGURES = /(<!-- figures -->\n).*?(<!-- \/figures -->)/s

/** Puts the rows that have a target into the table of the documents, and draws those that there are figures of. */
export function writeReport(lines: Line[]): void {
  const told = judged(lines)
  const table = ['| measure | baseline | Parley | compared | target | |', '| --- | ---: | ---: | ---: | ---: | --- |']
  const rows = told.map((line) => `| ${tableCells(line).map(escaped).join(' | ')} |`)
  for (const document of DOCUMENTS)
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace(
        FIGURES,
        () => `<!-- figures -->\n\n${[...table, ...rows].join('\n')}\n\n<!-- /figures -->`,
      ),
    )
  writeFileSync(PLOT, drawPlot(told.filter((line): line is Result => !isFailure(line))))
}

/** Those that have a target, and those that failed, so that nobody takes a table without them for a whole one. */
export function judged(lines: Line[]): Line[] {
  return lines.filter((line) => isFailure(line) || line.target !== undefined)
}

/** A bar would end the cell. */
function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
