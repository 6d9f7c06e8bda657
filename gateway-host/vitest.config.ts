import { defineConfig } from 'vitest/config'

const conditions = ['@msgctl/source']

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // What vitest loads before the tests, such as the global set-up.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    name: 'gateway-host',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['@msgctl/server/testing/global-setup'],
    setupFiles: ['./test/silence.ts', './test/setup.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
