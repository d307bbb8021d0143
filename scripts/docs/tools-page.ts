import type { Tool } from '../../src/doors/mcp/surface.ts'
import type { SurfaceName } from '../../src/protocol/frames/surface-name.ts'
import { rolesThatCan } from '../../src/protocol/principal.ts'
import { anchorOf, code, page, table } from './markdown.ts'
import type { ServedSurface } from './running-hub.ts'
import type { Words } from './shapes.ts'
import { type Commented, commentsOf } from './source-comments.ts'

/** One tool, and the surfaces that have it just so. */
interface Section {
  heading: string
  tool: Tool
  surfaces: ServedSurface[]
}

const ABOUT: Record<SurfaceName, string> = {
  bridge: 'agents: one tool that waits for the reply',
  agent: 'agents: the same with options, progress, titles and approvals',
  chat: 'programs that speak for either side, as their token allows',
  human: 'frontends, and programs that speak for a person',
  assistant: 'runtimes that answer',
  loop: 'control of the agent’s loop, whatever the interface',
  ui: 'older clients; deprecated',
  orchestrator: 'programs that drive agents',
  gateway: 'agents: tools of mounted servers, and what is needed to talk beside them',
}

/** Every tool of each MCP surface. */
export function toolsPage(words: Words, surfaces: ServedSurface[]): string {
  const sections = sectionsOf(surfaces)
  return page(
    '# Tools',
    'A **surface** is a set of MCP tools and resources. An agent gets one with `parley stdio --surface NAME` or at its address; the tools of every surface but bridge and agent can be called [over REST](rest.md) too. Every answer comes as text and as structured content, and both say the same.',
    table(
      ['surface', 'address', 'for', 'tools'],
      surfaces.map((surface) => [
        `[${surface.name}](#surface-${surface.name})`,
        code(surface.path),
        ABOUT[surface.name],
        linksOf(sections, surface),
      ]),
    ),
    ...surfaces.flatMap((surface) => [`## Surface ${surface.name}`, ...aboutSurface(sections, surface)]),
    '## All tools',
    ...sections.flatMap((section) => aboutTool(words, section)),
  )
}

function aboutSurface(sections: Section[], surface: ServedSurface): string[] {
  const { instructions, tools, listed } = surface
  const hidden = tools.filter(({ name }) => !listed.includes(name))
  return [
    `Tools: ${linksOf(sections, surface)}.`,
    ...(hidden.length > 0
      ? [`Not listed for everyone, and callable by who may: ${hidden.map(({ name }) => code(name)).join(', ')}.`]
      : []),
    'What its clients are told:',
    quoted(instructions),
  ]
}

function aboutTool(words: Words, { heading, tool, surfaces }: Section): string[] {
  const { title, description, needs, deprecated, servers = [], input, output, bare } = tool
  const others = servers.map((server) => code(`${server}_${tool.name}`))
  const facts = [
    `**${title}.** For ${rolesThatCan(needs).join(', ')}; at ${surfaces.map(({ name }) => `[${name}](#surface-${name})`).join(', ')}.`,
    ...(others.length > 0 ? [`Also called ${others.join(', ')}.`] : []),
    ...(deprecated ? [`${deprecated}.`] : []),
  ]
  const comments = drivingComments(tool.name)
  return [
    `### ${heading}`,
    facts.join(' '),
    ...(comments?.about ? [comments.about] : []),
    quoted(escaped(description)),
    'Takes:',
    words.fieldTable(input, comments?.fields.get('input'), `${heading}.takes`),
    ...(bare ? ['Answers with one text, in the shape that its caller’s contract wants.'] : []),
    ...(output ? answered(words, output, comments?.fields.get('output'), heading) : []),
  ]
}

function answered(words: Words, output: NonNullable<Tool['output']>, comments: Commented | undefined, heading: string) {
  if (words.isShape(output)) return [`Answers with ${words.typeOf(output)}.`]
  return ['Answers with:', words.fieldTable(output, comments, `${heading}.answers`)]
}

/** The tools of orchestrators have their schemas in the protocol, with comments. */
function drivingComments(tool: string) {
  return commentsOf('src/protocol/frames/driving.ts', 'DRIVING').fields.get(tool)
}

/** Tools that are the same at several surfaces share a section; others of the same name say whose they are. */
function sectionsOf(surfaces: ServedSurface[]): Section[] {
  const sections = new Map<string, Section>()
  for (const surface of surfaces)
    for (const tool of surface.tools) {
      const known = sections.get(identityOf(tool))
      if (known) known.surfaces.push(surface)
      else sections.set(identityOf(tool), { heading: tool.name, tool, surfaces: [surface] })
    }
  const all = [...sections.values()]
  for (const section of all) {
    const { tool, surfaces } = section
    const isOnly = all.filter((other) => other.tool.name === tool.name).length === 1
    if (!isOnly) section.heading = `${tool.name} of ${surfaces.map(({ name }) => name).join(' and ')}`
  }
  return all.sort((one, other) => (one.heading < other.heading ? -1 : 1))
}

function identityOf({ name, title, description, input }: Tool): string {
  return JSON.stringify([name, title, description, Object.keys(input._zod.def.shape)])
}

function linksOf(sections: Section[], surface: ServedSurface): string {
  const own = surface.tools.filter(({ name }) => surface.listed.includes(name))
  return own
    .map((tool) => {
      const { heading = '' } = sections.find((section) => identityOf(section.tool) === identityOf(tool)) ?? {}
      return `[${code(tool.name)}](#${anchorOf(heading)})`
    })
    .join(', ')
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trim())
    .join('\n')
}

/** Markdown that a model reads as plain text. */
function escaped(text: string): string {
  return text.replaceAll('<', '\\<')
}
