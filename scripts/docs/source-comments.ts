import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** What the source of a schema says about it, in comments. */
export interface Commented {
  /** The comment in its place. */
  about?: string
  fields: Map<string, Commented>
  variants: Commented[]
}

const sources = new Map<string, ts.SourceFile>()
/** What wraps a schema and changes nothing about what its fields mean. */
const WRAPPERS = ['optional', 'nullable', 'nonoptional', 'array', 'readonly', 'omit', 'pick', 'partial']

/** The comments of a constant of this file, also those of what it is made of. */
export function commentsOf(file: string, name: string): Commented {
  const declared = declarationOf(file, name)
  if (!declared) throw new Error(`${file} declares no ${name}`)
  const { initializer, where, about } = declared
  const meant = read(where, initializer)
  return { ...meant, about: about ?? meant.about }
}

function read(file: string, node: ts.Expression): Commented {
  const nothing: Commented = { fields: new Map(), variants: [] }
  if (ts.isIdentifier(node)) return declarationOf(file, node.text) ? commentsOf(file, node.text) : nothing
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return read(file, node.expression)
  if (ts.isObjectLiteralExpression(node)) return { ...nothing, fields: fieldsOf(file, node) }
  if (ts.isArrayLiteralExpression(node)) return { ...nothing, variants: node.elements.map((one) => element(file, one)) }
  if (ts.isPropertyAccessExpression(node)) return accessed(file, node)
  return ts.isCallExpression(node) ? called(file, node) : nothing
}

/** `X.shape` means X, and `X.shape.field` the field of it. */
function accessed(file: string, { expression, name }: ts.PropertyAccessExpression): Commented {
  const owner = read(file, expression)
  return name.text === 'shape' ? owner : (owner.fields.get(name.text) ?? { fields: new Map(), variants: [] })
}

function called(file: string, { expression, arguments: given }: ts.CallExpression): Commented {
  const nothing: Commented = { fields: new Map(), variants: [] }
  if (!ts.isPropertyAccessExpression(expression)) return nothing
  const [first, second] = given
  const method = expression.name.text
  const isZod = expression.expression.getText() === 'z'
  if (!isZod) return method === 'check' ? read(file, expression.expression) : nothing
  if (!first) return nothing
  if (method === 'object' || method === 'union' || WRAPPERS.includes(method)) return read(file, first)
  if (!second) return nothing
  if (method === 'discriminatedUnion' || method === 'record' || method === 'pipe') return read(file, second)
  if (method !== 'extend') return nothing
  return { ...nothing, fields: new Map([...read(file, first).fields, ...read(file, second).fields]) }
}

function fieldsOf(file: string, { properties }: ts.ObjectLiteralExpression): Map<string, Commented> {
  const fields = new Map<string, Commented>()
  for (const property of properties) {
    if (ts.isSpreadAssignment(property))
      for (const [name, field] of read(file, property.expression).fields) fields.set(name, field)
    else if (ts.isPropertyAssignment(property)) fields.set(nameOf(property.name), element(file, property))
    else if (ts.isShorthandPropertyAssignment(property)) fields.set(property.name.text, element(file, property))
  }
  return fields
}

/** Of a field only the comment in its place counts; a variant may be a constant with a comment of its own. */
function element(
  file: string,
  node: ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.Expression,
): Commented {
  const value = ts.isPropertyAssignment(node)
    ? node.initializer
    : ts.isShorthandPropertyAssignment(node)
      ? node.name
      : node
  const meant = read(file, value)
  return { ...meant, about: commentBefore(node) ?? (value === node ? meant.about : undefined) }
}

interface Declared {
  initializer: ts.Expression
  where: string
  about?: string
}

/** In the file itself, or where it is imported from. */
function declarationOf(file: string, name: string): Declared | undefined {
  for (const statement of sourceOf(file).statements) {
    if (ts.isVariableStatement(statement))
      for (const { name: own, initializer } of statement.declarationList.declarations)
        if (initializer && ts.isIdentifier(own) && own.text === name)
          return { initializer, where: file, about: commentBefore(statement) }
    const from = importedFrom(statement, name)
    if (from) return declarationOf(join(dirname(file), from), name)
  }
  return undefined
}

function importedFrom(statement: ts.Statement, name: string): string | undefined {
  const isImport = ts.isImportDeclaration(statement)
  if (!isImport && !ts.isExportDeclaration(statement)) return undefined
  const bindings = isImport ? statement.importClause?.namedBindings : statement.exportClause
  const { moduleSpecifier } = statement
  if (!bindings || !('elements' in bindings) || !moduleSpecifier || !ts.isStringLiteral(moduleSpecifier))
    return undefined
  const isOurs = moduleSpecifier.text.startsWith('.')
  return isOurs && bindings.elements.some((one) => one.name.text === name) ? moduleSpecifier.text : undefined
}

function sourceOf(file: string): ts.SourceFile {
  const known = sources.get(file)
  if (known) return known
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  sources.set(file, source)
  return source
}

function nameOf(name: ts.PropertyName): string {
  return ts.isStringLiteral(name) ? name.text : name.getText()
}

/** The text of the last `/** … *\/` before it. */
function commentBefore(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const comments = ranges.map(({ pos, end }) => text.slice(pos, end)).filter((comment) => comment.startsWith('/**'))
  return comments
    .at(-1)
    ?.slice(3, -2)
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
