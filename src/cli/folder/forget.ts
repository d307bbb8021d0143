import { createInterface } from 'node:readline/promises'
import { giveOrder } from '../../doors/socket/order.ts'
import { forgetInFolder } from '../../export/forget-in-folder.ts'
import { createForgottenRules } from '../../governance/policy/file/forgotten-rules.ts'
import { openPolicy } from '../../governance/policy/file/open-policy.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { visible } from '../../protocol/text/visible.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { hubOrFolder } from './hub-or-folder.ts'

/**
 * The hub of the folder does it if one runs, so that every open page drops it; else it is done in the folder itself.
 */
export async function forget({ config: { data }, flags, words: [name = ''] }: Typed) {
  noMemory(data, 'it keeps nothing that could be forgotten')
  if (flags.yes === undefined && !(await isSure(name))) return console.log('Nothing was forgotten')
  await hubOrFolder(
    () => byHub(data, name),
    () => inFolder(data, name),
  )
  console.log(`${name} is forgotten, with everything that was said in it`)
}

async function inFolder(data: string, name: string): Promise<true> {
  const policy = openPolicy(data)
  try {
    return await forgetInFolder(data, name, ({ record }) => createForgottenRules({ policy, record }))
  } finally {
    policy.close()
  }
}

async function isSure(name: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw usage('forget asks first, and nobody can answer here; add --yes', { help: 'parley forget --help' })
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(
    `Forget ${visible(name)} for everyone, with its files? Nothing brings it back. [y/N] `,
  )
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

async function byHub(data: string, conversation: string): Promise<true | undefined> {
  const answer = await giveOrder(data, { order: 'forget', conversation })
  if (answer && 'refused' in answer) throw new ParleyError('refused_by_hub', { reason: answer.refused })
  return answer && true
}
