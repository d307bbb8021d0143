import { giveOrder } from '../../doors/socket/order.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'

export async function stop({ config: { data } }: Typed) {
  noMemory(data)
  const answer = await giveOrder(data, 'stop')
  if (answer && 'refused' in answer) throw new ParleyError('refused_by_hub', { reason: answer.refused })
  console.log(answer ? `The hub of ${data} has ended; what was asked stays open` : `No hub is running for ${data}`)
}
