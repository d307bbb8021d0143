/** Nobody means anything deeper than this, and neither JSON nor a schema's check gets to the end of it. */
export const DEEPEST = 200

export const TOO_DEEP = `what it sent is nested more than ${DEEPEST} deep`

/** Looks level by level, because no stack is as deep as what others can send. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((object) => Object.values(object).filter(isObject))
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
