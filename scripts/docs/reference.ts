import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { errorsPage } from './errors-page.ts'
import { FIELD_SENTENCES } from './field-sentences.ts'
import { framesPage } from './frames-page.ts'
import { page, table } from './markdown.ts'
import { metricsPage } from './metrics-page.ts'
import { resourcesPage } from './resources-page.ts'
import { restPage } from './rest-page.ts'
import { askRunningHub } from './running-hub.ts'
import { shapesInCode } from './schema-files.ts'
import { createWords } from './shapes.ts'
import { shapesPage } from './shapes-page.ts'
import { toolsPage } from './tools-page.ts'

const FOLDER = 'docs/reference'
const PAGES: [name: string, about: string][] = [
  ['tools', 'the MCP tools of each surface'],
  ['resources', 'the MCP resources, and what is told when they change'],
  ['frames', 'what WebSocket clients say and hear, in each dialect'],
  ['shapes', 'the objects that tools, resources and frames share, entries among them'],
  ['rest', 'the HTTP routes'],
  ['commands', 'the commands of `parley` and their options'],
  ['configuration', 'options, environment variables, and the files of the data folder'],
  ['metrics', 'what `/metrics` tells'],
  ['errors', 'every sentence with which Parley says no'],
]

/** The pages of the reference by their paths, made from the tables and schemas of the code and from a hub at work. */
export async function reference(): Promise<Map<string, string>> {
  const hub = await askRunningHub()
  const words = createWords({ shapes: shapesInCode(), home: 'shapes.md', fields: FIELD_SENTENCES })
  const texts: Record<string, string> = {
    README: contents(),
    tools: toolsPage(words, hub.surfaces),
    resources: resourcesPage(words, hub.surfaces),
    frames: framesPage(words, hub.dialects),
    // The pages above say which shapes there have to be.
    shapes: shapesPage(words),
    rest: restPage(hub),
    commands: commandsPage(),
    configuration: configurationPage(),
    metrics: metricsPage(hub.metrics),
    errors: errorsPage(),
  }
  words.check()
  return new Map(Object.entries(texts).map(([name, text]) => [`${FOLDER}/${name}.md`, text]))
}

function contents(): string {
  return page(
    '# Reference',
    'Made by `npm run docs` from the schemas and tables in the code. A test fails when a page is not what the code says.',
    table(
      ['page', 'what is in it'],
      PAGES.map(([name, about]) => [`[${name}](${name}.md)`, about]),
    ),
  )
}
