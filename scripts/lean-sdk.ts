import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

const SCHEMAS = /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[^/]+\.mjs$/
const GATHERING = /@modelcontextprotocol\/(?:server|client)\/dist\/src-[^/]+\.mjs$/
/** Where the SDK gathers the schemas of all its types, for programs that check such values themselves. */
const GATHERED = [
  'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);',
  'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);',
]
/** Those that the client or we check. */
const CHECKED = ['Implementation', 'Prompt', 'Resource', 'ResourceTemplate', 'Tool']
const CHECK = /^(?!\s*\*).*\b(?:isSpecType|specTypeSchemas)\.(\w+)/gm

/** Leaves out the schemas of the SDK that nobody uses: each takes its time whenever a hub starts, and its memory. */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    transform(code, id) {
      mustBeThere(code)
      if (SCHEMAS.test(id)) return { code: madeIfUsed(code) }
      if (GATHERING.test(id)) return { code: gatheringLess(code) }
      return undefined
    },
  }
}

function mustBeThere(code: string) {
  for (const [, name = ''] of code.matchAll(CHECK))
    if (!CHECKED.includes(name)) throw new Error(`The build leaves out the schema ${name}: name it in lean-sdk.ts`)
}

/** Marks what each constant is made by as something that nobody misses who does not use it. */
function madeIfUsed(code: string): string {
  const declared = parseAst(code).body.flatMap((statement) =>
    statement.type === 'VariableDeclaration' ? statement.declarations : [],
  )
  let marked = code
  for (const { init } of declared.toReversed()) {
    if (init?.type !== 'CallExpression') continue
    const made = code.slice(init.start, init.end)
    marked = `${marked.slice(0, init.start)}/* @__PURE__ */ (() => ${made})()${marked.slice(init.end)}`
  }
  return marked
}

function gatheringLess(code: string): string {
  for (const loop of GATHERED)
    if (!code.includes(loop)) throw new Error(`The SDK gathers its schemas in another way than ${loop}`)
  const kept = CHECKED.map((name) => `register('${name}Schema', ${name}Schema);`)
  return GATHERED.reduce((rest, loop) => rest.replace(loop, ''), code).replace(
    'const specTypeSchemas =',
    `${kept.join('\n')}\nconst specTypeSchemas =`,
  )
}
