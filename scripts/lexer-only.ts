import type { Plugin } from 'vite'

/**
 * Leaves of marked what the page uses: its lexer, and neither parser nor renderer. By itself no bundler can leave them
 * out, because marked makes one of each when it is loaded.
 */
export function lexerOnly(): Plugin {
  return {
    name: 'lexer-only',
    apply: 'build',
    transform: { filter: { id: /\/marked\.esm\.js$/ }, handler: cut },
  }
}

function cut(code: string): string {
  const end = code.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/)
  const [, lexer] = /export\{[^}]*?(\w+) as Lexer[,}]/.exec(code) ?? []
  if (end < 0 || !lexer) throw new Error('marked is not put together as it was: see where its own instance is made')
  return `${code.slice(0, end)}export{${lexer} as Lexer};`
}
