const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/
const LANGUAGE = /^[\w+#.-]{1,30}$/

/**
 * Markdown of somebody else inside of ours: it stays readable and keeps its form, but no HTML in it counts, no image is
 * loaded, and no fence is left open. This must hold for every renderer there is, so it does not rely on seeing code where
 * they do: each block of code gets a fence of our own, and what is left has nothing in it that could open one or a tag.
 */
export function safeMarkdown(text: string): string {
  const blocks: string[] = []
  let prose: string[] = []
  let code: { lines: string[]; fence: string; language: string } | undefined
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (code) {
      if (closes(line, code.fence)) endCode()
      else code.lines.push(line)
      continue
    }
    const [, ticks, afterTicks, tildes, afterTildes] = FENCE.exec(line) ?? []
    const fence = ticks ?? tildes
    if (fence === undefined) prose.push(line)
    else {
      endProse()
      code = { lines: [], fence, language: (afterTicks ?? afterTildes ?? '').trim() }
    }
  }
  endCode()
  endProse()
  return blocks.join('\n\n')

  function endProse() {
    const isFilled = (line: string) => line.trim() !== ''
    const filled = prose.slice(prose.findIndex(isFilled), prose.findLastIndex(isFilled) + 1)
    if (filled.length > 0) blocks.push(safeProse(filled.join('\n')))
    prose = []
  }

  function endCode() {
    if (code) blocks.push(fenced(code.lines.join('\n'), code.language))
    code = undefined
  }
}

/** Something as it is, in a fence longer than any in it. */
export function fenced(text: string, language = ''): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${LANGUAGE.test(language) ? language : ''}\n${text}\n${fence}`
}

/** A name or a sentence inside a line of ours. */
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|~>-]/g, '\\$&')
    .replace(/[<&]/g, entity)
}

function closes(line: string, fence: string): boolean {
  const ends = /^ {0,3}(`+|~+)\s*$/.exec(line)?.[1] ?? ''
  return ends.length >= fence.length && ends[0] === fence[0]
}

function safeProse(text: string): string {
  let safe = ''
  let from = 0
  for (const [start, end, ticks] of codeSpans(text)) {
    const code = text.slice(start + ticks, end - ticks)
    safe += defused(text.slice(from, start)) + (/[<!]/.test(code) ? asElement(code) : defused(text.slice(start, end)))
    from = end
  }
  return safe + defused(text.slice(from))
}

/**
 * Code spans from each run of backticks to the next one of the same length. Each run is looked at once, however many
 * there are.
 */
function codeSpans(text: string): [start: number, end: number, ticks: number][] {
  const spans: [number, number, number][] = []
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }) => ({ length, index }))
  const next = new Map<number, number>()
  const partner = runs.map(() => -1)
  for (let n = runs.length - 1; n >= 0; n--) {
    const { length = 0 } = runs[n] ?? {}
    partner[n] = next.get(length) ?? -1
    next.set(length, n)
  }
  for (let n = 0; n < runs.length; n++) {
    const [run, other] = [runs[n], runs[partner[n] ?? -1]]
    if (!run || !other) continue
    spans.push([run.index, other.index + other.length, run.length])
    n = partner[n] ?? n
  }
  return spans
}

/** Fences are defused also in places where only some renderers see one, as in a list. */
function defused(prose: string): string {
  return prose
    .replaceAll('<', '&lt;')
    .replaceAll('![', '\\![')
    .replace(/`{3,}|~{3,}/g, (run) => [...run].map((mark) => `\\${mark}`).join(''))
}

/** Code in a line that holds what would be a tag: as an element of ours, in which nothing has a meaning. */
function asElement(code: string): string {
  return `<code>${code
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[^\p{L}\p{N} ]/gu, entity)}</code>`
}

function entity(letter: string): string {
  return letter === '<' ? '&lt;' : letter === '&' ? '&amp;' : `&#${letter.codePointAt(0)};`
}
