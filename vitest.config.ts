import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['@msgctl/source']

export default defineConfig({
  test: {
    // One more than there are cores: a test waits for Postgres and other processes for a fifth of its time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      'packages/console',
      'packages/embedded-postgres',
      {
        resolve: { conditions },
        test: {
          name: 'house',
          include: ['test/*.test.ts', 'packages/docs/src/*.test.ts'],
          // They load the commands of the server.
          exclude: ['test/advice.test.ts', 'test/page-lines.test.ts'],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          // Everything that meets the server is one project, so that a worker loads the server once for all files.
          name: 'service',
          include: [
            'packages/{cli,client,contract,network,server,webhook-verifier}/src/**/*.test.ts',
            'test/{advice,page-lines}.test.ts',
            'test/openapi/*.test.ts',
            'tools/proofs/{chaos,fuzz,generators,prism}/*.test.ts',
          ],
          // Tests that need a database have one of their own for each file, copied from that of this set-up.
          globalSetup: ['packages/server/src/testing/global-setup.ts'],
          setupFiles: ['packages/server/src/testing/setup.ts'],
          // Reloading the server for each file took as long as the tests themselves. No module keeps state.
          isolate: false,
          // No test waits for a time to pass; these limits only end one that hangs, on a machine that may be slow.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 45_000 } },
        },
      },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary'] },
  },
})
