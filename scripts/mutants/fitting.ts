import { join, resolve } from 'node:path'
import ts from 'typescript'
import type { Mutation } from './mutations.ts'

/**
 * Whether the compiler lets a mutant pass. What it refuses needs no test, and would be counted as noticed, or be named
 * as what is there for the types.
 */
export function openFitting(
  files: string[],
  folder = process.cwd(),
): (mutant: { file: string; mutation: Mutation }) => boolean {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, folder)
  const changed = new Map<string, string>()
  let version = 0
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    // What a mutant makes needless is no mistake.
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => files.map((file) => resolve(folder, file)),
    getScriptVersion: (path) => `${changed.has(path) ? version : 0}`,
    getScriptSnapshot: (path) => {
      const text = changed.get(path) ?? ts.sys.readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })
  return ({ file, mutation: { node, instead } }) => {
    const { text } = node.getSourceFile()
    changed.clear()
    version++
    const made = instead === undefined ? '{}' : `(${instead})`
    const path = resolve(folder, file)
    changed.set(path, text.slice(0, node.getStart()) + made + text.slice(node.getEnd()))
    return service.getSemanticDiagnostics(path).length === 0
  }
}
