import type { Plugin } from 'vite'

const EXPORT = 'module.exports = highlight;'

/**
 * What colours code is the only part of the page that is no module. Wrapped as such it would bring what wraps it, which
 * the bundler keeps beside it and other parts share: they would load the colouring before there is any code.
 */
export function colouringAsModule(): Plugin {
  return {
    name: 'colouring-as-module',
    apply: 'build',
    transform: { filter: { id: /\/highlight\.js\/lib\/core\.js$/ }, handler: unwrap },
  }
}

function unwrap(code: string): string {
  if (!code.includes(EXPORT)) throw new Error('highlight.js is not put together as it was: see what it exports')
  return code.replace(EXPORT, 'export default highlight;')
}
