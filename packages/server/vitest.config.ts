import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@msgctl/source'] },
  ssr: { resolve: { conditions: ['@msgctl/source'] } },
  test: { name: 'server', include: ['src/**/*.test.ts'], globalSetup: ['src/test/global-setup.ts'] },
})
