import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type MadeOrganization, makeCookie, makeOrganization } from '../../server/src/testing/make.ts'
import { startTestServer, type TestServer } from '../../server/src/testing/start-server.ts'
import { launchBrowser } from './browser.ts'
import { startProxy } from './proxy.ts'

const site = path.join(import.meta.dirname, '../dist/site/index.html')

/** A page of the console, and what the browser complained about on it. */
interface Visit {
  readonly page: Page
  /** Errors of the page and refusals of its policy. */
  readonly complaints: string[]
  /** The hosts that the page made requests to. */
  readonly hosts: Set<string>
}

/** How a person enters: the window, and what they are in the organization. */
interface EnterOptions extends BrowserContextOptions {
  readonly role?: 'owner' | 'admin' | 'member'
}

/** A service with its console and one browser, for a test file. */
export interface Stage {
  readonly server: TestServer
  /** What browsers ask for the service by: its own address, or that of the proxy before it. */
  readonly base: string
  /** The name of the session cookie, and whether it is for https only. */
  readonly cookie: { readonly name: string; readonly secure: boolean }
  /** Returns the address of a page of the console. */
  address(page?: string): string
  /** Opens a window without a session. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** Opens a window in which a person of an organization is signed in (default: its owner). */
  enter(organization: MadeOrganization, page?: string, options?: EnterOptions): Promise<Visit>
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

interface StageOptions {
  /** Puts a proxy before the service that serves https below a path. */
  readonly isProxied?: boolean
  /** Further settings of the service. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the service and the browser of a test file. Call it at the top of the file. */
export async function startStage({ isProxied = false, env = {} }: StageOptions = {}): Promise<Stage> {
  if (!existsSync(site)) throw new Error('The console is not built. Run: npm run build')
  const server = await startTestServer({ env: { UNSAFE_DISABLE_RATE_LIMIT: 'true', ...env } })
  const proxy = isProxied ? await startProxy(server.address) : undefined
  const base = proxy?.address ?? server.address
  const cookie = { name: isProxied ? '__Host-msgctl' : 'msgctl', secure: isProxied }
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    proxy?.close()
  })
  const address = (page = '') => `${base}/console/${page}`
  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    if (!browser) throw new Error('the browser has not started')
    const context = await browser.newContext({
      viewport: { width: 1360, height: 860 },
      locale: 'en-GB',
      ignoreHTTPSErrors: isProxied,
      ...options,
    })
    context.setDefaultTimeout(15_000)
    return watch(await context.newPage())
  }
  return {
    server,
    base,
    cookie,
    address,
    visit,
    async enter(organization, page = '', { role = 'owner', ...options } = {}) {
      const value = await makeCookie(server, organization, role)
      const visited = await visit(options)
      await visited.page.context().addCookies([{ ...cookie, value, url: new URL(base).origin, httpOnly: true }])
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
