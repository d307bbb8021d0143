import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const PREFIX = '\0light:'

/**
 * Imports of Node's own modules, without their price: for an import statement Node reads every export the module has,
 * and some of those load more. Measured at the start of `parley stdio`: 10 ms of 125.
 */
export function lightBuiltins(): Plugin {
  return {
    name: 'light-builtins',
    resolveId(source, _importer, { kind }) {
      if (kind !== 'import-statement' || !isBuiltin(source)) return
      return { id: PREFIX + source.replace(/^node:/, ''), moduleSideEffects: false }
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return
      const name = `node:${id.slice(PREFIX.length)}`
      const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
        (key) => /^[a-z_$][\w$]*$/i.test(key) && key !== 'default',
      )
      return [
        `const builtin = process.getBuiltinModule('${name}')`,
        'export default builtin',
        ...names.map((key) => `export const ${key} = builtin.${key}`),
      ].join('\n')
    },
  }
}
