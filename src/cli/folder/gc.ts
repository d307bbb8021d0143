import { giveOrder } from '../../doors/socket/order.ts'
import { collectInFolder } from '../../export/collect-in-folder.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { sizeInWords } from '../../protocol/text/size.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { hubOrFolder } from './hub-or-folder.ts'

/** Reading a long log takes a while. */
const COLLECTING_MS = 10 * 60_000

/** The hub of the folder does it if one runs; else it is done in the folder itself. */
export async function gc({ config: { data } }: Typed) {
  noMemory(data, 'it keeps nothing')
  const { files, bytes } = await hubOrFolder(
    () => byHub(data),
    () => collectInFolder(data),
  )
  const what = files === 1 ? '1 file' : `${files} files`
  console.log(
    files === 0 ? 'No files to remove: all are in conversations, or new' : `Removed ${what}, ${sizeInWords(bytes)}`,
  )
}

async function byHub(data: string) {
  const answer = await giveOrder(data, { order: 'gc' }, COLLECTING_MS)
  if (answer && 'refused' in answer) throw new ParleyError('refused_by_hub', { reason: answer.refused })
  return answer && 'collected' in answer ? answer.collected : undefined
}
