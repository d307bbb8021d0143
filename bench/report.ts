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

/** Puts the rows that have a target into the table of the documents, and draws them. */
export function writeReport(lines: Line[]): void {
  const judged = lines.filter((line): line is Result => !isFailure(line) && line.target !== undefined)
  const table = ['| measure | baseline | Parley | compared | target | |', '| --- | ---: | ---: | ---: | ---: | --- |']
  const rows = judged.map((line) => `| ${tableCells(line).join(' | ')} |`)
  for (const document of DOCUMENTS)
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace(FIGURES, `$1\n${[...table, ...rows].join('\n')}\n\n$2`),
    )
  writeFileSync(PLOT, drawPlot(judged))
}
