import { namesIn } from './contract/place.ts'
import { logContract } from './log-contract.ts'
import { openMemoryLog } from './memory-log.ts'

logContract('memory', (_place, readBody, appendsReadable) => openMemoryLog({ readBody, appendsReadable, namesIn }))
