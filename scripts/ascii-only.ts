import type { Plugin } from 'rolldown'

/** Node keeps a file with any letter beyond Latin-1 at two bytes each, and a few dashes in a library make it so. */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    // This comes after the minifier, which writes escaped letters out again.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replace(BEYOND, escaped)
    },
  }
}

const BEYOND = /[^\0-\x7f]/g

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}
