import path from 'node:path'
import { defineConfig } from 'vitest/config'

const server = path.resolve(import.meta.dirname, '../packages/server/src')

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: {
    name: 'gateway-host',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: [path.join(server, 'testing/global-setup.ts')],
    setupFiles: ['./test/silence.ts', path.join(server, 'testing/setup.ts')],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
