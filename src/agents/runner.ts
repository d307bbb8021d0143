import { branchOf } from '../io/programs/branch.ts'
import type { Runner } from '../protocol/frames/driving.ts'
import type { HubLink } from './hub-link.ts'

const OFFER_SECONDS = 30
const RENEW_MS = 10_000

interface OfferParts {
  link: Pick<HubLink, 'call'>
  holder: string
  runner: Runner
  report(error: unknown): void
}

/** Offers to drive conversations for as long as it is open. Rejects when another process has the name. */
export async function offerRunner({ link, holder, runner, report }: OfferParts) {
  let offered = runner
  let saying: Promise<void> | undefined
  let again = false
  await say()
  const renewing = setInterval(renew, RENEW_MS)
  return { change, renew, close }

  function change(now: Runner) {
    if (JSON.stringify(now) === JSON.stringify(offered)) return
    offered = now
    renew()
  }

  /** However often it changes, it is said by one call after the other. */
  function renew() {
    again = saying !== undefined
    saying ??= say()
      .catch(report)
      .finally(() => {
        saying = undefined
        if (again) renew()
      })
  }

  async function say() {
    // An agent may go over to another one at any time.
    const branch = await branchOf(offered.folder)
    const runner = { ...offered, ...(branch !== undefined && { branch }) }
    await link.call('offer_runner', { holder, runner, seconds: OFFER_SECONDS })
  }

  async function close() {
    clearInterval(renewing)
    await link.call('withdraw_runner', { holder, name: offered.name })
  }
}
