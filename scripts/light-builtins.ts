import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const PREFIX = '\0light:'
/** As a library of before has it that calls `require`. */
const REQUIRED = '\0light-required:'

/** Takes 8 ms to load, and an agent is answered without it. */
const ON_DEMAND = 'node:crypto'
/** `ws` has these for clients and for what nobody turns on; together they take 7 MB of every hub. */
const REQUIRED_LATER = ['node:https', 'node:tls', 'node:zlib']

/**
 * Imports of Node's own modules, without their price: for an import statement Node reads every export the module has,
 * and some of those load more. The first answer of `parley stdio` came after 115 ms instead of 126 with this and with
 * `node:crypto` left for later; the two were not measured apart.
 */
export function lightBuiltins(): Plugin {
  return {
    name: 'light-builtins',
    resolveId(source, _importer, { kind }) {
      if (!isBuiltin(source)) return
      const name = source.replace(/^node:/, '')
      if (kind === 'require-call' && [ON_DEMAND, ...REQUIRED_LATER].includes(`node:${name}`)) return REQUIRED + name
      if (kind === 'import-statement') return { id: PREFIX + name, moduleSideEffects: false }
    },
    load(id) {
      if (id.startsWith(REQUIRED)) return required(`node:${id.slice(REQUIRED.length)}`)
      if (!id.startsWith(PREFIX)) return
      const name = `node:${id.slice(PREFIX.length)}`
      if (name === ON_DEMAND)
        return functionsOf(name)
          .map(([key, later]) => `export const ${key} = ${later}`)
          .join('\n')
      return [
        `const builtin = process.getBuiltinModule('${name}')`,
        'export default builtin',
        ...namesIn(name).map((key) => `export const ${key} = builtin.${key}`),
      ].join('\n')
    },
  }
}

/** Everything in it, loaded when it is looked at; its functions, where libraries take those out at once, when called. */
function required(name: string): string {
  if (name === ON_DEMAND)
    return functionsOf(name)
      .map(([key, later]) => `exports.${key} = ${later}`)
      .join('\n')
  return `for (const key of ${JSON.stringify(namesIn(name))})
  Object.defineProperty(exports, key, { enumerable: true, get: () => process.getBuiltinModule('${name}')[key] })`
}

/** Its functions, each of which loads it when it is called. */
function functionsOf(name: string): [key: string, later: string][] {
  const builtin = process.getBuiltinModule(name) as unknown as Record<string, unknown>
  const functions = namesIn(name).filter((key) => /^[a-z]/.test(key) && typeof builtin[key] === 'function')
  return functions.map((key) => [key, `(...args) => process.getBuiltinModule('${name}').${key}(...args)`])
}

function namesIn(name: string): string[] {
  const names = Object.keys(process.getBuiltinModule(name) ?? {})
  return names.filter((key) => /^[a-z_$][\w$]*$/i.test(key) && key !== 'default')
}
