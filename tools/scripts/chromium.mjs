// Where the Chromium of this machine is: at the paths at which the tests of the console find it.
import { existsSync } from 'node:fs'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Returns the path in CHROMIUM, or else a usual path that exists; undefined without any. */
export function findChromium() {
  return process.env.CHROMIUM ?? usualPaths.find((file) => existsSync(file))
}
