import { jsonIn } from '../text/json.ts'
import { Body } from './entry.ts'

/**
 * A body as it stands in a log. What this version cannot read, because a newer Parley wrote it or because it is
 * damaged, is kept and shown as such; it disturbs nothing.
 */
export function storedBody(text: string): Body {
  const content = jsonIn(text)
  if (Body.safeParse(content).success) return content as Body
  return { kind: 'unknown', name: kindIn(content), content: content ?? text }
}

function kindIn(content: unknown): string {
  const known = typeof content === 'object' && content !== null && 'kind' in content
  return known && typeof content.kind === 'string' ? content.kind : 'damaged'
}
