import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openFixture } from './fixture.ts'

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
const SLOW_MACHINE_MS = 120_000

// The counts, because the suite reports a dead server as passed.
const VERSIONS = [
  { version: '2025-06-18', choice: ['--suite', 'all', '--spec-version', '2025-06-18'], scenarios: 27, checks: 56 },
  { version: '2025-11-25', choice: ['--suite', 'all', '--spec-version', '2025-11-25'], scenarios: 33, checks: 84 },
  { version: '2026-07-28', choice: ['--requirements', '2026-07-28'], scenarios: 40, checks: 150 },
]

/** Without `PARLEY_SOAK` the newest of either era. */
test.for(SOAK > 1 ? VERSIONS : VERSIONS.slice(1))(
  '[M16] the public conformance suite finds nothing wrong for $version, outside the tasks extension',
  { timeout: SLOW_MACHINE_MS },
  async ({ choice, scenarios, checks }) => {
    const { url, close } = await openFixture()
    onTestFinished(close)
    const results = (await runSuite(url, choice)).filter(({ scenario }) => !scenario.startsWith('tasks-'))
    const all = results.flatMap(({ scenario, checks }) => checks.map((check) => ({ scenario, ...check })))
    expect(all.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(complaint)).toEqual([])
    expect(results.length).toBeGreaterThanOrEqual(scenarios)
    expect(all.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(checks)
  },
)

async function runSuite(url: string, choice: string[]): Promise<{ scenario: string; checks: Check[] }[]> {
  const folder = await temporaryFolder()
  const args = [SUITE, 'server', '--url', url, '--output-dir', folder, ...choice]
  // It exits with 1 for failed checks too; what it found is in the folder.
  await new Promise((resolve) => execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, resolve))
  return Promise.all((await readdir(folder)).map((result) => resultIn(folder, result)))
}

/** A folder is named `server-<scenario>-<time>`. */
async function resultIn(folder: string, result: string) {
  const checks: Check[] = JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8'))
  return { scenario: result.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*/, ''), checks }
}

function complaint({ scenario, id, errorMessage }: Check & { scenario: string }): string {
  return `${scenario}: ${id}: ${errorMessage}`
}
