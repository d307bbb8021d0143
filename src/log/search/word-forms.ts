/** Endings of English words that change nothing about what they mean, and the shortest beginning that each leaves. */
const ENDINGS: [ending: string, instead: string, leaves: number][] = [
  ['ies', 'y', 2],
  ['sses', 'ss', 2],
  ['shes', 'sh', 2],
  ['ches', 'ch', 2],
  ['xes', 'x', 2],
  ['zes', 'ze', 2],
  ['s', '', 3],
]
const PLAIN_S = /(?:ss|us|is)$/
const ENDS_OF_DEEDS: [ending: string, leaves: number][] = [
  ['ment', 5],
  ['ing', 3],
  ['ed', 3],
  ['er', 4],
]
const VOWEL = /[aeiouy]/
const DOUBLED = /([bdfgmnprt])\1$/
const SHORTEST = 3
const WORD = /^[a-z]{4,40}$/

/**
 * The part that the forms of a folded word share: that of `deployments`, `deployed` and `deploy` is one. Other words
 * than those of a to z are their own.
 */
export function stemOf(word: string): string {
  if (!WORD.test(word)) return word
  return withoutLast(withoutDeed(withoutPlural(word)))
}

/** The letters that every form of it begins with; too few of them begin too much else. */
export function beginningOf(stem: string): string | undefined {
  const letters = stem.replace(/i$/, '')
  return letters.length >= SHORTEST ? letters : undefined
}

function withoutPlural(word: string): string {
  if (PLAIN_S.test(word)) return word
  for (const [ending, instead, leaves] of ENDINGS)
    if (word.endsWith(ending) && word.length - ending.length >= leaves) return word.slice(0, -ending.length) + instead
  return word
}

function withoutDeed(word: string): string {
  for (const [ending, leaves] of ENDS_OF_DEEDS) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length >= leaves && VOWEL.test(rest)) return rest.replace(DOUBLED, '$1')
  }
  return word
}

function withoutLast(word: string): string {
  if (word.length <= SHORTEST) return word
  return word.endsWith('e') ? word.slice(0, -1) : word.replace(/y$/, 'i')
}
