import { svelte } from '@sveltejs/vite-plugin-svelte'
import { configDefaults, defineConfig } from 'vitest/config'
import { ProcessesFirst } from './scripts/processes-first.ts'

export default defineConfig({
  // The page's state is in *.svelte.ts files.
  plugins: [svelte({ configFile: false })],
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    // They are downloaded, which only `npm run soak` does.
    exclude: [...configDefaults.exclude, ...(process.env.PARLEY_SOAK ? [] : ['test/real-agents.test.ts'])],
    globalSetup: './scripts/run-folder.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // As long as `eventually` waits.
    expect: { poll: { timeout: 25_000 } },
    // Most tests wait for processes of their own, so that two more than a small machine has cores keep it busy.
    maxWorkers: 4,
    sequence: { sequencer: ProcessesFirst },
    // Every file opens what it needs itself, so that none has to have the modules loaded anew.
    isolate: false,
  },
})
