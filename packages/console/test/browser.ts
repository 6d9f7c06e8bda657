import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Chromium usually lies. */
const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of the tests: CHROMIUM names one, else one at a usual place; undefined without any. */
const executablePath = process.env.CHROMIUM ?? usualPaths.find((path) => existsSync(path))

/** Whether the tests in the browser run. Without a browser they are left out, except with BROWSER=required. */
export const hasBrowser = executablePath !== undefined

if (!hasBrowser) {
  const message = 'No Chromium was found, so the console was not tested in a browser. Set CHROMIUM to its path.'
  if (process.env.BROWSER === 'required') throw new Error(message)
  console.warn(message)
}

/** Starts the browser. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}
