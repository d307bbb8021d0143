import type { MountLog } from './mount-log.ts'

const MOST_TOLD = 20

/** People find in the log of a mount what nobody sees, unless that is too much for them. */
export function leavingOut(what: string, log: MountLog) {
  let count = 0
  return (left: string) => {
    count++
    if (count <= MOST_TOLD) log.tell(`left out ${left}`)
    if (count === MOST_TOLD) log.tell(`and whatever more is left out of ${what}`)
  }
}
