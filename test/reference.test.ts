import { describe, expect, it } from 'vitest'
import { configurationPage, metricsPage } from './reference-pages.ts'

// When one of these fails, `npm run generate` writes the pages; read the difference before you commit it.

describe('generated pages', () => {
  it('docs/run/configuration.md lists the settings of the server', async () => {
    const page = configurationPage()
    expect(page).toContain('| `DATABASE_POOL` | `20` | a whole number from 2 to 200 |')
    await expect(page).toMatchFileSnapshot('../docs/run/configuration.md')
  })

  it('docs/run/metrics.md lists the metrics of the server', async () => {
    const page = metricsPage()
    expect(page).toContain('| `msgctl_http_requests_total` | counter | `route`, `status` |')
    await expect(page).toMatchFileSnapshot('../docs/run/metrics.md')
  })
})
