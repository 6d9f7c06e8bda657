import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: { name: 'network', include: ['src/**/*.test.ts'], isolate: false, testTimeout: 60_000, hookTimeout: 60_000 },
})
