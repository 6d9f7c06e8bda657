import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      { resolve: { conditions: ['@msgctl/source'] }, test: { name: 'house', include: ['test/**/*.test.ts'] } },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary'] },
  },
})
