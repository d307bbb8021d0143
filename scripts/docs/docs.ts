import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { guides } from './guides.ts'
import { reference } from './reference.ts'

/** What writes pages: each returns their paths and texts. */
const WRITERS = [reference, guides]

for (const write of WRITERS)
  for (const [path, text] of await write()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
