import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { openLogFile } from '../../../src/ops/log-file.ts'
import { createLogbook } from '../../../src/ops/logbook.ts'

/*
 * A process with its stderr in the file of its log, as a hub in the background has it. `full`: it writes more than it may,
 * and goes on when there is room again. `thrown`: it writes so much that there were many files, then it fails.
 */
const [, , what = '', data = ''] = process.argv
const path = join(data, 'hub.log')
const logbook = createLogbook({ level: 'info', content: false, out: openLogFile(data) })
const turn = () => new Promise(setImmediate)

if (what === 'full') {
  for (let n = 0; n < 1000; n++) {
    logbook.tell('info', 'before', { n, text: 'x'.repeat(100) })
    await turn()
  }
  // The file is cut in the middle of a line, where it ends now, too.
  truncateSync(path, readFileSync(path).lastIndexOf('\n', -10_000) + 50)
  logbook.tell('info', 'after')
  logbook.close()
} else {
  for (let n = 0; n < 5000; n++) {
    logbook.tell('info', 'call', { n, text: 'x'.repeat(1000) })
    await turn()
  }
  setImmediate(() => {
    throw new Error('It is over')
  })
}
