import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { openFolder } from '../../export/folder.ts'
import { verifyAudit } from '../../governance/audit/verify.ts'
import { AUDIT_VERIFY_PATH, type AuditProblem, type AuditVerified } from '../../protocol/tools/audit.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import { hubOrFolder } from '../folder/hub-or-folder.ts'
import { ownerGet } from '../folder/owner-get.ts'
import type { Typed } from '../program.ts'

/** Problems are on stderr, and the head on stdout either way. */
export async function verifyChain({ config: { data }, flags }: Typed) {
  noMemory(data, 'it has no chain')
  const head = flags.head?.toLowerCase()
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw usage('A head is the 64 digits that parley audit verify printed', { help: 'parley audit verify --help' })
  const verified = await hubOrFolder(
    () => byHub(data, head),
    () => inFolder(data, head),
  )
  const { links, head: last, problems, more, forgotten, pending } = verified
  for (const problem of problems) console.error(sentence(problem))
  if (more > 0) console.error(`… and ${more} more`)
  if (pending > 0)
    console.error(`${counted(pending, 'entry', 'entries')} came after the last link; a hub that starts links them`)
  if (problems.length > 0) process.exitCode = 1
  else
    console.log(
      `Nothing was changed or taken out${forgotten > 0 ? `, except ${counted(forgotten, 'entry', 'entries')} of what was forgotten` : ''}`,
    )
  console.log(`${counted(links, 'link', 'links')}, head ${last}`)
}

async function byHub(data: string, head: string | undefined): Promise<AuditVerified | undefined> {
  const chunks = await ownerGet(data, head === undefined ? AUDIT_VERIFY_PATH : `${AUDIT_VERIFY_PATH}?head=${head}`)
  return chunks && ((await json(Readable.from(chunks))) as AuditVerified)
}

async function inFolder(data: string, head: string | undefined): Promise<AuditVerified> {
  const folder = await openFolder(data)
  try {
    return await verifyAudit({ data, log: folder.log, head })
  } finally {
    await folder.close()
  }
}

function sentence({ problem, link, to, entry, kind, file }: AuditProblem): string {
  const what = `Entry ${entry} (${kind}${link === undefined ? '' : `, link ${link}`})`
  switch (problem) {
    case 'changed':
      return `${what} was changed: it is not what was linked`
    case 'missing':
      return `${what} was taken out of the log`
    case 'unlinked':
      return `${what} is in the log and not in the chain: its link was taken out, or it was put in`
    case 'broken':
      return `The chain is broken at line ${link}: this line or the one before was changed, put in or taken out`
    case 'unreadable':
      return `Line ${link} of the chain is not a link`
    case 'cut':
      return `Links ${link} to ${to} of the chain are missing: its end was cut off, or its file was taken away`
    case 'replaced':
      return `Link ${link} of the chain is not the one that was written: the chain was replaced from there or before`
    case 'file_missing':
      return `${what} names the file ${file}, which is missing`
    case 'file_changed':
      return `${what} names the file ${file}, which was changed`
    case 'no_such_head':
      return 'This head is not in the chain: its end was cut off, or the chain is another one'
  }
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}
