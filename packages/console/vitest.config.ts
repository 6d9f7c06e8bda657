import { defineConfig } from 'vitest/config'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: {
    name: 'console',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // The service that the console talks to is the real one, on a database of its own for each test file.
    globalSetup: ['../server/src/testing/global-setup.ts'],
    setupFiles: ['../server/src/testing/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
