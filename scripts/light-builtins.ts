import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const PREFIX = '\0light:'

/** Takes 8 ms to load, and an agent is answered without it. */
const ON_DEMAND = 'node:crypto'

/**
 * Imports of Node's own modules, without their price: for an import statement Node reads every export the module has,
 * and some of those load more. The first answer of `parley stdio` came after 115 ms instead of 126 with this and with
 * `node:crypto` left for later; the two were not measured apart.
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
      if (name === ON_DEMAND) return onDemand(name, names)
      return [
        `const builtin = process.getBuiltinModule('${name}')`,
        'export default builtin',
        ...names.map((key) => `export const ${key} = builtin.${key}`),
      ].join('\n')
    },
  }
}

/** Its functions, each of which loads it when it is called. */
function onDemand(name: string, names: string[]): string {
  const builtin = process.getBuiltinModule(name) as unknown as Record<string, unknown>
  const functions = names.filter((key) => /^[a-z]/.test(key) && typeof builtin[key] === 'function')
  return functions
    .map((key) => `export const ${key} = (...args) => process.getBuiltinModule('${name}').${key}(...args)`)
    .join('\n')
}
