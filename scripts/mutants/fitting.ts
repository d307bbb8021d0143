import { join, resolve } from 'node:path'
import ts from 'typescript'
import type { Mutation } from './mutations.ts'

/** Each program has so many of them, because what they import is looked at once for all. */
const AT_ONCE = 64

/**
 * Those that the compiler lets pass. What it refuses needs no test, and would be counted as noticed, or be named as what
 * is there for the types.
 */
export function openFitting(folder = process.cwd()) {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options: own } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, folder)
  // What a mutant makes needless is no mistake.
  const options = { ...own, noUnusedLocals: false, noUnusedParameters: false }
  const host = ts.createCompilerHost(options)
  const known = new Map<string, ts.SourceFile | undefined>()
  return fitting

  function* fitting<Mutant extends { file: string; mutation: Mutation }>(mutants: Mutant[]): Generator<Mutant> {
    for (let from = 0; from < mutants.length; from += AT_ONCE) {
      const some = mutants.slice(from, from + AT_ONCE)
      yield* some.filter(isPassed(some))
    }
  }

  function isPassed(mutants: { file: string; mutation: Mutation }[]): (_: unknown, n: number) => boolean {
    // Each is a file of its own, beside the one that it is made of.
    const texts = new Map(
      mutants.map(({ file, mutation }, n) => [`${resolve(folder, file)}.${n}.ts`, mutated(mutation)]),
    )
    const paths = [...texts.keys()]
    const program = ts.createProgram(paths, options, { ...host, fileExists, getSourceFile })
    return (_, n) => program.getSemanticDiagnostics(program.getSourceFile(paths[n] ?? '')).length === 0

    function fileExists(path: string): boolean {
      return texts.has(path) || host.fileExists(path)
    }

    function getSourceFile(path: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
      const text = texts.get(path)
      if (text !== undefined) return ts.createSourceFile(path, text, how)
      if (!known.has(path)) known.set(path, host.getSourceFile(path, how))
      return known.get(path)
    }
  }
}

function mutated({ node, instead }: Mutation): string {
  const { text } = node.getSourceFile()
  return text.slice(0, node.getStart()) + (instead === undefined ? '{}' : `(${instead})`) + text.slice(node.getEnd())
}
