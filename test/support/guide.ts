import { readFileSync } from 'node:fs'

export const GUIDES = 'docs/guides'

export function pageOf(guide: string): string {
  return readFileSync(`${GUIDES}/${guide}.md`, 'utf8')
}

/** The pieces of code that a guide shows, in its order, in this language. */
export function codeIn(guide: string, language: string): string[] {
  return [...pageOf(guide).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text)
}
