import { svelte } from '@sveltejs/vite-plugin-svelte'
import { configDefaults, defineConfig } from 'vitest/config'
import { ProcessesFirst } from './scripts/processes-first.ts'

/**
 * Real agents are downloaded, and planted faults are built one by one: both take minutes. Servers of others are not
 * installed for a test.
 */
const ONLY_SOAKED = [
  'test/cli/connect-real.test.ts',
  'test/driving/real-agents.test.ts',
  'test/guides/proxy.test.ts',
  'test/guides/ssh.test.ts',
  'test/siege/siege-faults.test.ts',
]

export default defineConfig({
  // The page's state is in *.svelte.ts files.
  plugins: [svelte({ configFile: false })],
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.PARLEY_SOAK ? [] : ONLY_SOAKED)],
    globalSetup: './scripts/run-folder.ts',
    // For a machine that is busy with something else, too.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // As long as `eventually` waits.
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for processes of their own, so that two more than a small machine has cores keep it busy.
    maxWorkers: 4,
    // Hubs and clients of a test make much that is soon gone: a larger nursery takes a tenth off the processor's time.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: ProcessesFirst },
    // Every file opens what it needs itself, so that none has to have the modules loaded anew.
    isolate: false,
  },
})
