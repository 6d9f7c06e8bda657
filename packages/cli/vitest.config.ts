import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: {
    name: 'cli',
    include: ['src/**/*.test.ts'],
    // The service that msgctl talks to is the real one, on a database of its own for each test file.
    globalSetup: ['../server/src/testing/global-setup.ts'],
    setupFiles: ['../server/src/testing/setup.ts'],
    // The server is loaded once for all files.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
