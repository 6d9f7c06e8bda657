import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: { name: 'embedded-postgres', include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
