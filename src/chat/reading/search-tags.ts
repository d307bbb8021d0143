import type { Body } from '../../protocol/entries/entry.ts'
import type { SearchFilter, SearchKind } from '../../protocol/frames/search.ts'

const FILE = 'file'
const TITLE = 'title'
const KIND = 'kind:'
const PERSON = 'person:'
export const AGENT = 'agent:'

/** The tags by which a search tells entries apart. The index has them, so that other tags are another version of it. */
export function tagsOf(body: Body): string[] {
  const tags = [KIND + kindOf(body)]
  if ('by' in body) tags.push((isOfPerson(body) ? PERSON : AGENT) + body.by)
  if ('attachments' in body && body.attachments && body.attachments.length > 0) tags.push(FILE)
  if (body.kind === 'title' && !body.overruled) tags.push(TITLE)
  return tags
}

/** The tags of what is wanted, one of each group. */
export function tagsFor({ kinds, agent, files }: SearchFilter): string[][] {
  const agents = agent === undefined ? undefined : [agent].flat().map((name) => AGENT + name)
  return [kinds?.map((kind) => KIND + kind), agents, files && [FILE]].filter((group) => group !== undefined)
}

export const TITLES = [[TITLE]]

/** The kind and the author of an entry with these tags. */
export function readTags(tags: string[]): { kind: SearchKind; by?: string; person?: true } {
  const after = (beginning: string) => tags.find((tag) => tag.startsWith(beginning))?.slice(beginning.length)
  const kind = (after(KIND) ?? 'message') as SearchKind
  const person = after(PERSON)
  return person === undefined ? { kind, by: after(AGENT) } : { kind, by: person, person: true }
}

function kindOf(body: Body): SearchKind {
  switch (body.kind) {
    case 'message':
    case 'revision':
    case 'title':
      return 'message'
    case 'question':
      return body.approval ? 'tool' : 'question'
    case 'settlement':
      return body.outcome === 'approved' || body.outcome === 'denied' ? 'tool' : 'question'
    default:
      return 'tool'
  }
}

const OF_PEOPLE: readonly Body['kind'][] = ['settlement', 'revision', 'revocation']

function isOfPerson(body: Body): boolean {
  return (body.kind === 'message' && body.author === 'user') || OF_PEOPLE.includes(body.kind)
}
