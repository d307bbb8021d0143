import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { stagePackage } from '../../../scripts/stage.ts'
import { environment } from '../agent.ts'

const run = promisify(execFile)

interface Packed {
  filename: string
  size: number
  integrity: string
  files: { path: string }[]
}

/** The package, packed and then installed into an empty folder that nobody but its owner can write, without a network. */
export function installedPackage() {
  let base = ''
  let packed: Packed | undefined
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'parley-package-'))
    chmodSync(base, 0o755)
    mkdirSync(folder(), { recursive: true })
    stagePackage(join(base, 'staged'))
    const [told] = JSON.parse(await npm('pack', join(base, 'staged'), '--pack-destination', base, '--json'))
    packed = told
    await npm('install', join(base, told.filename), '--offline', '--no-audit', '--no-fund')
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  return { folder, program, packed: () => packed as Packed, tarball: () => join(base, packed?.filename ?? '') }

  function folder(): string {
    return join(base, 'Über uns', 'ein Paket')
  }

  /** What npm puts on the path. */
  function program(): string {
    return join(folder(), 'node_modules/.bin/parley')
  }

  async function npm(...args: string[]): Promise<string> {
    const own = { npm_config_cache: join(base, 'npm'), npm_config_update_notifier: 'false' }
    return (await run('npm', args, { cwd: folder(), env: environment(own) })).stdout
  }
}
