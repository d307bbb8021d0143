/** URL accepts a star as a letter like any other; here it would look as if it meant any host. */
const ORIGIN = /^https?:\/\/[^\s,/\\?#@*]+\/?$/i

/** An origin as browsers write it, in lower case and without the usual port; nothing for what is not exactly one. */
export function originOf(text: string): string | undefined {
  return ORIGIN.test(text) && URL.canParse(text) ? new URL(text).origin : undefined
}

/** Several of them, separated by spaces or commas, each once and always in the same order. */
export function originsIn(text = ''): string[] {
  return [...new Set(partsOf(text).flatMap((part) => originOf(part) ?? []))].sort()
}

/** What in such a text is no origin. */
export function noOriginIn(text: string): string | undefined {
  const parts = partsOf(text)
  return parts.length === 0 ? text : parts.find((part) => originOf(part) === undefined)
}

function partsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}
