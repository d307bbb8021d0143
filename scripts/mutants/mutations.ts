import ts from 'typescript'

/** A small change of the code that some test should notice. */
export interface Mutation {
  node: ts.Node
  /** What stands instead; nothing where a statement goes. */
  instead: string | undefined
}

const SWAPPED: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
}
const SWAPPED_METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
])
/** Methods without which there is what they were called on. */
const DROPPED_METHODS = ['filter', 'slice', 'sort', 'toSorted', 'toReversed', 'trim', 'toLowerCase']

/**
 * Mutations in the order of the text. What is worked out when a file is loaded is left alone: it would take a new
 * process for each change.
 */
export function mutationsIn(source: ts.SourceFile): Mutation[] {
  const found: Mutation[] = []
  visit(source, false)
  return found

  function visit(node: ts.Node, inside: boolean): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (inside) for (const instead of insteadOf(node, source)) found.push({ node, instead })
    ts.forEachChild(node, (child) => visit(child, inside || ts.isFunctionLike(node)))
  }
}

function insteadOf(node: ts.Node, source: ts.SourceFile): (string | undefined)[] {
  const text = (part: ts.Node) => part.getText(source)
  if (isCondition(node) && isOrder(node.parent)) return insteadOfCondition(node, text)
  if (isCondition(node)) return [...insteadOfCondition(node, text), ...insteadOfExpression(node, text)]
  if (ts.isExpressionStatement(node)) return [undefined]
  return insteadOfExpression(node, text)
}

function isCondition(node: ts.Node): node is ts.Expression {
  const { parent } = node
  return (
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  )
}

function insteadOfCondition(node: ts.Expression, text: (part: ts.Node) => string): string[] {
  if (ts.isWhileStatement(node.parent)) return ['false']
  const never = ts.isIfStatement(node.parent) && leaves(node.parent.thenStatement) ? ['false'] : []
  // These have an opposite of their own.
  const ownOpposite = ts.isPrefixUnaryExpression(node) || (ts.isBinaryExpression(node) && isEquality(node))
  return ownOpposite ? never : [...never, `!(${text(node)})`]
}

function isEquality({ operatorToken }: ts.BinaryExpression): boolean {
  return ['===', '!=='].includes(ts.tokenToString(operatorToken.kind) ?? '')
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  return !!last && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last))
}

function insteadOfExpression(node: ts.Node, text: (part: ts.Node) => string): string[] {
  if (ts.isBinaryExpression(node)) return insteadOfBinary(node, text)
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.ExclamationToken ? [text(node.operand)] : []
  if (ts.isCallExpression(node)) return insteadOfCall(node, text)
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 && !isAssignedTo(node) ? ['[]'] : []
  if (ts.isNumericLiteral(node)) return isKey(node) || isOfOrder(node) ? [] : [`${text(node)} + 1`]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false']
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true']
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node))
    return isKey(node) ? [] : [ts.isTemplateExpression(node) || node.text ? "''" : "'mutant'"]
  return isReturned(node) ? ['undefined'] : []
}

function insteadOfBinary(node: ts.BinaryExpression, text: (part: ts.Node) => string): string[] {
  const { left, right, operatorToken } = node
  const operator = ts.tokenToString(operatorToken.kind) ?? ''
  if (operator === '??') return [text(left)]
  const swapped = SWAPPED[operator]
  return swapped ? [`(${text(left)}) ${swapped} (${text(right)})`] : []
}

function insteadOfCall(node: ts.CallExpression, text: (part: ts.Node) => string): string[] {
  const { expression, arguments: given } = node
  // Apart from the rest of its chain it would be another one.
  if (!ts.isPropertyAccessExpression(expression) || node.flags & ts.NodeFlags.OptionalChain) return []
  const method = expression.name.text
  if (DROPPED_METHODS.includes(method)) return [text(expression.expression)]
  const swapped = SWAPPED_METHODS.get(method)
  return swapped ? [`${text(expression.expression)}.${swapped}(${given.map(text).join(', ')})`] : []
}

/** `return { say, close }` is how parts are made, and goes wrong everywhere. */
function isReturned(node: ts.Node): boolean {
  if (!ts.isReturnStatement(node.parent) || (ts.isIdentifier(node) && node.text === 'undefined')) return false
  return !(ts.isObjectLiteralExpression(node) && node.properties.every(ts.isShorthandPropertyAssignment))
}

function isAssignedTo(node: ts.Node): boolean {
  const { parent } = node
  return (
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
    (ts.isForOfStatement(parent) && parent.initializer === node)
  )
}

/** Names, what is imported, and what a tag reads. */
function isKey(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isCallExpression(parent)) return parent.expression.kind === ts.SyntaxKind.ImportKeyword
  return ts.isTaggedTemplateExpression(parent) || ('name' in parent && parent.name === node)
}

/** How large the numbers of an order are makes no difference. */
function isOfOrder(node: ts.Node): boolean {
  return isOrder(ts.isPrefixUnaryExpression(node.parent) ? node.parent.parent : node.parent)
}

/** As in `a < b ? -1 : 1`, where the two are never the same. */
function isOrder(node: ts.Node): boolean {
  return ts.isConditionalExpression(node) && [node.whenTrue, node.whenFalse].every((one) => /^-?1$/.test(one.getText()))
}
