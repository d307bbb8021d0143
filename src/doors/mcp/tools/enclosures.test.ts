import { expect, test, vi } from 'vitest'
import type { Delivery } from '../../../chat/delivery/deliveries.ts'
import type { Caller } from '../surface.ts'
import { handOut } from './enclosures.ts'

test('[S213] what brings an agent nothing is not kept until its answer has arrived', async () => {
  const delivery: Delivery = {
    ...{ settlements: [], open: [], earlier: [] },
    ...{ arrived: vi.fn(), returned: vi.fn(), missed: vi.fn() },
  }
  const caller = { carry: vi.fn() as Caller['carry'] } as Caller
  await handOut(delivery, caller, undefined)
  expect(caller.carry).not.toHaveBeenCalled()
  expect(delivery.arrived).toHaveBeenCalledOnce()
  const something = { ...delivery, deliveredIds: { conversation: 'work', replies: ['1'] } }
  await handOut(something, caller, undefined)
  expect(caller.carry).toHaveBeenCalledWith(something)
  expect(delivery.arrived).toHaveBeenCalledOnce()
})
