import * as z from 'zod/mini'
import { type DrivingAnswer, DrivingRequest } from '../protocol/frames/asked/driving-request.ts'
import { isRefusal } from '../protocol/refusal.ts'
import type { HubLink } from './hub-link.ts'

interface RequestParts {
  /** The name of this process. */
  holder: string
  call: HubLink['call']
  /** The answer, or nothing where it cannot tell. */
  answer(request: DrivingRequest): Promise<DrivingAnswer>
  report(error: unknown): void
}

const Requests = z.array(z.unknown())

/** Answers what people want to know of this process; what a newer hub asks is left to its patience. */
export function createRequests({ holder, call, answer, report }: RequestParts) {
  return { requested }

  function requested(told: unknown) {
    for (const one of Requests.safeParse(told).data ?? []) {
      const { data: request } = DrivingRequest.safeParse(one)
      if (request?.holder === holder) tell(request).catch(report)
    }
  }

  async function tell(request: DrivingRequest) {
    const found = await answer(request).catch((error: unknown): DrivingAnswer => {
      report(error)
      return {}
    })
    const say = (given: DrivingAnswer) => call('answer_request', { holder, request: request.id, ...given })
    // It may be more than this hub takes, or too late.
    await say(found).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      return say({}).catch(ignored)
    })
  }
}

/** Whoever asked has stopped waiting. */
function ignored(error: unknown) {
  if (!isRefusal(error)) throw error
}
