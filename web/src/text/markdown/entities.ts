const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,30});/gi
const ONLY_ENTITY = new RegExp(`^${ENTITY.source}$`, 'i')

/** The characters that `&amp;`, `&#60;` and their like stand for. What stands for none stays as it was written. */
export function decoded(text: string): string {
  return text.replace(ENTITY, characterOf)
}

/** Some browsers do not have them, and TypeScript does not know them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): {
    createHTML(text: string): unknown
  }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('parley-entity', { createHTML: onlyEntity })

/**
 * Only browsers know all two thousand names, and tell them as HTML. They are given one name and never anything else.
 */
function characterOf(entity: string): string {
  const reader = document.createElement('span')
  reader.innerHTML = (policy?.createHTML(entity) ?? onlyEntity(entity)) as string
  // A browser knows the beginning of `&copyright;`. No name stands for more than two letters.
  return reader.textContent.length > 2 ? entity : reader.textContent
}

function onlyEntity(text: string): string {
  return ONLY_ENTITY.test(text) ? text : ''
}
