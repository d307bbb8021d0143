/** The parts of a message in order: prose, or code between fences. `raw` is all of it. */
export type Part = { raw: string; prose: string } | { raw: string; prose?: undefined; code: string; language: string }

/**
 * Only fences that begin a line count: those further in may belong to a list item, which ends where the parser says.
 */
const FENCED = /^(`{3,}(?=[^`\n]*$)|~{3,}(?!~))([^\n]*)\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm

/** No parser sees the code, so that nothing in there can keep one busy, and no two can differ over where it ends. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { 0: raw, 2: language = '', 3: code = '', index } of text.matchAll(FENCED)) {
    if (index > from) parts.push(proseIn(text.slice(from, index)))
    parts.push({ raw, code: code.replace(/\n$/, ''), language: language.trim() })
    from = index + raw.length
  }
  if (from < text.length) parts.push(proseIn(text.slice(from)))
  return parts
}

function proseIn(raw: string): Part {
  return { raw, prose: raw }
}
