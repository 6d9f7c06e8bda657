import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Uses both cores of a small machine. By default vitest leaves one free for the editor.
    maxWorkers: '100%',
    projects: [
      'packages/*',
      {
        resolve: { conditions: ['@msgctl/source'] },
        test: { name: 'house', include: ['test/*.test.ts'], isolate: false, testTimeout: 60_000 },
      },
      {
        resolve: { conditions: ['@msgctl/source'] },
        ssr: { resolve: { conditions: ['@msgctl/source'] } },
        test: {
          name: 'openapi',
          include: ['test/openapi/*.test.ts', 'tools/proofs/{fuzz,generators,prism}/*.test.ts'],
          globalSetup: ['packages/server/src/testing/global-setup.ts'],
          setupFiles: ['packages/server/src/testing/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { conditions: ['@msgctl/source'] },
        ssr: { resolve: { conditions: ['@msgctl/source'] } },
        test: {
          name: 'chaos',
          include: ['tools/proofs/chaos/*.test.ts'],
          setupFiles: ['packages/server/src/testing/setup.ts'],
          hookTimeout: 60_000,
        },
      },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary'] },
  },
})
