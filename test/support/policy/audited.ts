import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { logFile, openLog } from '../../../src/chat/conversation/open-log.ts'
import type { View } from '../../../src/chat/view.ts'
import { auditPath } from '../../../src/governance/audit/audit-file.ts'
import { verifyAudit } from '../../../src/governance/audit/verify.ts'
import type { Hub } from '../../../src/hub/hub.ts'
import { ask } from '../chat.ts'

type WithView = Pick<Hub, 'chat'> & { view: View }

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }

/** A person decides about two calls. */
export async function decidedCalls({ view }: WithView, conversation = 'work') {
  await view.say(conversation, { text: 'Hello' })
  await view.allow(await ask(view, { by: 'codex', text: 'Allow?', approval }, conversation), undefined)
  await view.deny(await ask(view, { by: 'codex', text: 'Allow?', approval }, conversation), 'Not today')
}

/** A rule lets a call of a mounted tool through, and another one not. */
export async function mountedCalls({ chat: { mountedCalls: calls } }: WithView, conversation = 'work') {
  const by = { by: 'codex', server: 'files' }
  const call = { ...by, tool_name: 'files_write', tool: 'write', asker: 'codex', tool_args: '{"path":"a"}' }
  const rule = { id: 'notes', line: 3 }
  const allow = { decision: 'allow', rule } as const
  await calls.begin(conversation, { ...call, call_id: `${conversation}-1`, decided: allow }, {})
  const done = { ...by, tool_name: 'files_write', call_id: `${conversation}-1`, decided: allow }
  await calls.end(conversation, { ...done, result: 'ok', success: true, duration_ms: 12 })
  const deny = { decision: 'deny_continue', rule: { id: 'secret' }, reason: 'Not there' } as const
  await calls.begin(conversation, { ...call, call_id: `${conversation}-2`, decided: deny }, {})
  const refused = { ...done, call_id: `${conversation}-2`, decided: deny }
  await calls.end(conversation, { ...refused, result: 'Not there', success: false, duration_ms: 0 })
}

export function linesOf(data: string) {
  return readFileSync(auditPath(data), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

export function changeLines(data: string, change: (lines: string[]) => string[]) {
  const lines = readFileSync(auditPath(data), 'utf8').split('\n').slice(0, -1)
  writeFileSync(
    auditPath(data),
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

export function changeLog(data: string, sql: string) {
  const db = new DatabaseSync(logFile(data))
  db.exec(sql)
  db.close()
}

/** Leaves the file as after a hub that was killed before the log knew of its last links, or an older one. */
export function forgetHead(data: string) {
  changeLog(data, "DELETE FROM note WHERE name = 'head of the audit chain'")
}

/** Verifies the audit of a folder that no hub uses. */
export async function verified(data: string, head?: string) {
  const log = await openLog(data)
  try {
    return await verifyAudit({ data, log, head })
  } finally {
    await log.close()
  }
}
