import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'

/** A Markdown file of the repository, and the page that it becomes. */
export interface SitePage {
  source: string
  path: string
  title: string
  text: string
}

const SOURCES = ['*.md', 'docs/*.md', 'docs/*/*.md']
const IMAGE = /\.(png|svg|jpe?g|gif|webp)$/
/** What may stand in a page as HTML; everything else in angle brackets is text. */
const TAG = /<(?!\/?(?:a|img|picture|source|br|kbd|sub|sup|details|summary)\b|!--|https?:)/g
const CODE = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[^\n]*$|(`+)(?!`)[\s\S]*?(?<!`)\3(?!`)/gm

/** The pages of the site from the Markdown of the repository, and the images that they show. */
export function sitePages(): { pages: SitePage[]; images: Set<string> } {
  const images = new Set<string>()
  const sources = globSync(SOURCES)
  const paths = new Map(sources.map((source) => [source, pathOf(source)]))
  const decisions = sources.filter((source) => source.startsWith('docs/adr/')).toSorted()
  const pages = sources.map((source) => {
    const text = readFileSync(source, 'utf8')
    return { source, path: pathOf(source), title: titleIn(text), text: rewritten(text, source) }
  })
  return { pages: [...pages, contentsOf(decisions)], images }

  function rewritten(markdown: string, source: string): string {
    const code: string[] = []
    const masked = markdown.replace(CODE, (text) => `\0${code.push(text) - 1}\0`)
    const linked = masked
      .replace(/(!?)\[([^[\]]*)\]\(([^\s)]+)\)/g, (link, bang, text, to) => linkTo(link, bang, text, to, source))
      .replace(/\b(src|srcset)="([^"]+)"/g, (_, name, to) => `${name}="${imageAt(to, source)}"`)
      .replace(TAG, '&lt;')
      .replaceAll('{{', '&#123;&#123;')
    return linked.replace(/\0(\d+)\0/g, (_, n) => code[Number(n)] ?? '')
  }

  /** A link to another page leads there; what is in the repository alone is named without a link. */
  function linkTo(link: string, bang: string, text: string, to: string, source: string): string {
    if (/^[a-z]+:|^#/.test(to)) return link
    if (bang) return `![${text}](${imageAt(to, source)})`
    const [file = '', anchor] = to.split('#')
    const target = targetOf(join(dirname(source), file))
    if (target === undefined) return text
    const path = relative(dirname(pathOf(source)), target)
    return `[${text}](${path.startsWith('.') ? path : `./${path}`}${anchor ? `#${anchor}` : ''})`
  }

  function targetOf(file: string): string | undefined {
    if (!existsSync(file)) throw new Error(`${file} is not there`)
    if (!statSync(file).isDirectory()) return paths.get(file)
    const index = pathOf(join(file, 'README.md'))
    return [...paths.values(), pathOf('docs/adr/README.md')].includes(index) ? index : undefined
  }

  function imageAt(to: string, source: string): string {
    const file = join(dirname(source), to)
    if (!IMAGE.test(file) || !existsSync(file)) throw new Error(`${source} shows ${to}, which is no image`)
    images.add(file)
    return `./${relative(dirname(pathOf(source)), pathOf(file))}`.replace('./../', '../')
  }

  function contentsOf(decisions: string[]): SitePage {
    const lines = decisions.map(
      (source) => `- [${titleIn(readFileSync(source, 'utf8'))}](./${relative('docs/adr', source)})`,
    )
    const text = `# Decisions\n\nWhat was decided, why, and what was rejected.\n\n${lines.join('\n')}\n`
    return { source: 'docs/adr', path: pathOf('docs/adr/README.md'), title: 'Decisions', text }
  }
}

/** Pages of `docs` are at the top of the site, and a README is the page of its folder. */
function pathOf(source: string): string {
  return source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

function titleIn(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''
}
