import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type MadeOrganization, makeOrganization, makeToken } from '../../server/src/testing/make.ts'
import { startTestServer, type TestServer } from '../../server/src/testing/start-server.ts'
import { launchBrowser } from './browser.ts'

const site = path.join(import.meta.dirname, '../dist/site/index.html')

/** A page of the console, and what the browser complained about on it. */
interface Visit {
  readonly page: Page
  /** Errors of the page and refusals of its policy. */
  readonly complaints: string[]
  /** The hosts that the page made requests to. */
  readonly hosts: Set<string>
}

/** A service with its console and one browser, for a test file. */
export interface Stage {
  readonly server: TestServer
  /** Returns the address of a page of the console. */
  address(page?: string): string
  /** Opens a window without a session. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** Opens a window in which the owner of an organization is signed in. */
  enter(organization: MadeOrganization, page?: string, options?: BrowserContextOptions): Promise<Visit>
}

function watch(page: Page): Visit {
  const complaints: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http')) hosts.add(host)
  })
  return { page, complaints, hosts }
}

/** Starts the service and the browser of a test file. Call it at the top of the file. */
export async function startStage(): Promise<Stage> {
  if (!existsSync(site)) throw new Error('The console is not built. Run: npm run build')
  const server = await startTestServer({ env: { UNSAFE_DISABLE_RATE_LIMIT: 'true' } })
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  const address = (page = '') => `${server.address}/console/${page}`
  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    if (!browser) throw new Error('the browser has not started')
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: 'en-GB', ...options })
    context.setDefaultTimeout(15_000)
    return watch(await context.newPage())
  }
  return {
    server,
    address,
    visit,
    async enter(organization, page = '', options = {}) {
      const value = await makeToken(server, organization)
      const visited = await visit(options)
      await visited.page.context().addCookies([{ name: 'msgctl', value, url: server.address, httpOnly: true }])
      await visited.page.goto(address(page))
      await visited.page.locator('.shell').waitFor()
      return visited
    },
  }
}

/** Makes an organization with every product. */
export function makeTenant({ server }: Stage): Promise<MadeOrganization> {
  return makeOrganization(server)
}
