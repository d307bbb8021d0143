import ts from 'typescript'
import { type Mutation, mutationsIn } from './mutations.ts'

/** One mutation of one file, and its name, which stays the same wherever the lines go. */
export interface Mutant {
  id: number
  file: string
  line: number
  name: string
  mutation: Mutation
}

const LONGEST_TEXT = 90

/** A file as it can be read with every mutation that was ever chosen in it. */
export function mutantsIn(file: string, text: string) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names = new Map<string, number>()
  const mutants = mutationsIn(source).map((mutation) => {
    const { line } = source.getLineAndCharacterOfPosition(mutation.node.getStart(source))
    return { file, line: line + 1, name: nameOf(mutation), mutation }
  })
  return { file, mutants, planted }

  function nameOf({ node, instead }: Mutation): string {
    const name = `\`${short(node.getText(source))}\` ${instead === undefined ? 'gone' : `→ \`${short(instead)}\``}`
    const times = (names.get(name) ?? 0) + 1
    names.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  }

  /** All the chosen ones at once, each behind a question that is answered while the code runs. */
  function planted(chosen: Mutant[], importing: string): string {
    return `${importing};${text.slice(0, source.getStart(source))}${render(source)}`

    function render(node: ts.Node): string {
      const start = node.getStart(source)
      let at = start
      let rendered = ''
      ts.forEachChild(node, (child) => {
        const from = child.getStart(source)
        rendered += text.slice(at, from) + render(child)
        at = child.getEnd()
      })
      rendered += text.slice(at, node.getEnd())
      const here = chosen.filter(({ mutation }) => mutation.node === node)
      for (const { id, mutation } of here)
        rendered =
          mutation.instead === undefined
            ? `if (!mutant(${id})) { ${rendered} }`
            : `(mutant(${id}) ? (${mutation.instead}) : (${rendered}))`
      // A line that begins with a bracket would go on with the one before.
      return ts.isExpressionStatement(node) ? `{ ${rendered} }` : rendered
    }
  }
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '¦')
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line
}
