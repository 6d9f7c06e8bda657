import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: {
    name: 'server',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // Reloading the server for each file took as long as the tests themselves. No module keeps state between files.
    isolate: false,
    // No test waits for a time to pass; these limits only end one that hangs, on a machine that may be slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
  },
})
