import type { IconName } from '../../frame/Icon.svelte'
import type { ApprovalRecord } from '../../state/rows/row.ts'

export const RECORD_ICONS: Record<ApprovalRecord['state'], IconName> = {
  waiting: 'shield',
  allowed: 'tick',
  changed: 'pencil',
  permitted: 'tick',
  ruled: 'tick',
  denied: 'close',
  expired: 'clock',
  withdrawn: 'reply',
  answered: 'tick',
}
