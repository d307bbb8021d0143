import { addressOf, openTokens } from '../hub.ts'
import { unreachable } from '../protocol/unreachable.ts'
import type { Config } from './config.ts'
import { DEFAULT_PORT } from './serve.ts'
import type { TokenOrder } from './token-order.ts'
import { usage } from './usage.ts'

type Tokens = ReturnType<typeof openTokens>

/** A running hub takes notice by itself. On stdout only what a script wants to have. */
export async function token({ data, tokens: given, host, port = DEFAULT_PORT }: Config, order: TokenOrder) {
  if (data === 'memory') throw usage('Tokens are kept in a data folder, and memory is none; PARLEY_TOKENS needs none')
  const tokens = openTokens({ data, tokens: given })
  switch (order.act) {
    case 'create':
      return create(tokens, order)
    case 'list':
      return list(tokens)
    case 'revoke':
      await tokens.revoke(order.name)
      return console.error(`${order.name} is let in no more, and no browser as ${order.name}`)
    case 'link':
      console.log(`${addressOf(host, port)}/sign-in/${await tokens.link(order.name)}`)
      return console.error(`Signs one browser in as ${order.name}, once, within 10 minutes`)
    default:
      return unreachable(order)
  }
}

async function create(tokens: Tokens, { name, role, conversation, lifeMs }: Extract<TokenOrder, { act: 'create' }>) {
  const first = !tokens.exist()
  const { secret, principal } = await tokens.create({ name, role, conversation, lifeMs })
  const where = principal.conversation === undefined ? '' : ` in ${principal.conversation} only`
  console.log(secret)
  console.error(`This is the token of ${name}, ${principal.role}${where}; it is not shown again`)
  if (first) console.error('From now on the hub asks everyone for a token')
}

function list(tokens: Tokens) {
  const rows = tokens
    .list()
    .map(({ name, role, conversation, created_at, expires_at, revoked_at }) => [
      name,
      role,
      conversation ?? '(all)',
      day(created_at) ?? 'PARLEY_TOKENS',
      revoked_at ? `revoked ${day(revoked_at)}` : (day(expires_at) ?? 'never'),
    ])
  if (rows.length === 0) return console.error('There are no tokens; make one with parley token create NAME')
  console.log(table([['name', 'role', 'conversation', 'created', 'expires'], ...rows]))
}

function day(time: string | undefined): string | undefined {
  return time?.slice(0, 10)
}

function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
