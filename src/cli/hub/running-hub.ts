import { giveOrder } from '../../doors/socket/order.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { HubStatus } from '../../protocol/frames/link.ts'

/** What the hub of a folder tells about itself; nothing when none runs, or one that is just ending. */
export async function runningHub(data: string): Promise<HubStatus | undefined> {
  if (data === 'memory') return undefined
  const answer = await giveOrder(data, 'status')
  if (answer && 'refused' in answer) throw new ParleyError('refused_by_hub', { reason: answer.refused })
  return answer && 'status' in answer ? answer.status : undefined
}
