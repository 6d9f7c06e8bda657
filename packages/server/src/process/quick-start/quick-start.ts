import { onThisMachine } from '#process/on-this-machine.ts'
import type { RunningServer } from '#process/start.ts'
import type { Services } from '#services.ts'
import { type Demo, linkDemo, makeDemo, waitUntilUsable } from './demo.ts'
import {
  keepProjectFile,
  type ProjectFile,
  projectFilePath,
  readProjectFile,
  writeProjectFile,
} from './project-file.ts'

const sendCommand = '  npx msgctl send +12025550100 "hello" --wait read'
/** Shows the QR of the number, which a real phone has to scan. */
const linkCommand = '  npx msgctl numbers link'

/** Names the WAHA server that holds the connections to phones. */
const addCommand =
  '  node packages/server/bin/msgctl-server.mjs waha add http://127.0.0.1:3001   # reads the key from WAHA_API_KEY'

/** A demo whose number was asked to link. */
export interface PreparedDemo extends Demo {
  readonly linked: boolean
}

/**
 * Fills an empty embedded database with one organization, its owner, a linked simulated number and a key, and writes
 * them to `.msgctl.json` in `folder`. Runs before the API listens, so that the first request finds the number. Returns
 * null when the database holds an organization already.
 */
export async function prepareDemo(services: Services, folder: string): Promise<PreparedDemo | null> {
  const demo = await makeDemo(services)
  if (!demo) return null
  const { host, port, simulator, services: parts } = services.config
  // Written before anything else can fail, because the key is known only now. A file of another service stays until
  // this one listens: it may be the one that has the port.
  if (readProjectFile(folder) === null)
    writeDemo(folder, demo, {
      baseUrl: baseUrlOf(onThisMachine(`http://${host}:${port}`)),
      simToken: simulator.token ?? undefined,
    })
  // A real phone is linked by its owner.
  const linked = services.config.gateway === 'simulator' && (await linkDemo(services, demo))
  // Without a worker in this process, another one stores what the network reports.
  if (linked && parts.includes('worker')) await waitUntilUsable(services, demo)
  return { ...demo, linked }
}

function writeDemo(folder: string, { apiKey, owner }: Demo, current: Pick<ProjectFile, 'baseUrl' | 'simToken'>): void {
  writeProjectFile(folder, { baseUrl: current.baseUrl, apiKey, owner, simToken: current.simToken })
}

/** Returns the text that shows key and password of a new demo once, or on later starts the addresses alone. */
export function quickStartNotice(
  { services, http }: Pick<RunningServer, 'services' | 'http'>,
  folder: string,
  demo: PreparedDemo | null,
): string {
  if (!http) return 'The worker is running.'
  const address = onThisMachine(http.address)
  const current = { baseUrl: baseUrlOf(address), simToken: services.config.simulator.token ?? undefined }
  if (!demo) return laterStart(folder, address, current, services)
  const kept = keepProjectFile(folder, demo.apiKey)
  writeDemo(folder, demo, current)
  return [
    '',
    `The service listens at ${address}`,
    '',
    ...openLines(services),
    ...consoleLines(address, demo.welcomeCode),
    `  API       ${current.baseUrl}`,
    `  Reference ${address}/docs`,
    `  AI        ${current.baseUrl}/mcp`,
    `  Key       ${demo.apiKey}`,
    `  Owner     ${demo.owner.email}, password ${demo.owner.password}`,
    `  Number    ${numberNotice(services, demo)}`,
    '',
    ...(kept === null ? [] : [`The file of another service is kept as ${kept}.`, '']),
    'Key and password are shown this once. msgctl reads them from .msgctl.json. Now run in another terminal:',
    '',
    nextCommands(services),
    '',
  ].join('\n')
}

/** A warning where other machines reach the service. */
function openLines({ config: { host, signUp } }: Pick<Services, 'config'>): string[] {
  if (/^127\.|^::1$|^localhost$/.test(host)) return []
  const open = signUp === 'open' ? ', and sign-up is open to them. SIGNUP=closed ends that' : ''
  return [`  Warning: other machines reach this service too, without TLS${open}.`, '']
}

/** The address that opens the console, signed in. The code stands in the fragment, which browsers send to no server. */
function consoleLines(address: string, welcomeCode: string | null): string[] {
  if (welcomeCode === null) return []
  const link = `${address}/console/#welcome=${welcomeCode}`
  return [`  Console   ${link}`, '            This link signs you in once, within 15 minutes.', '']
}

/** The commands to type next; docs/run/networks.md has every step for a real network. */
function nextCommands({ config }: Pick<Services, 'config'>): string {
  if (config.gateway === 'simulator') return sendCommand
  return config.gateway === 'waha' ? `${addCommand}\n${linkCommand}` : linkCommand
}

function numberNotice({ config }: Pick<Services, 'config'>, { linked }: PreparedDemo): string {
  if (config.gateway !== 'simulator') return `one number of ${config.gateway}, to be linked to a phone`
  return linked ? 'one simulated number, linked' : 'one simulated number; it is still being linked'
}

function baseUrlOf(address: string): string {
  return `${address}/api/v1`
}

function laterStart(
  folder: string,
  address: string,
  current: Pick<ProjectFile, 'baseUrl' | 'simToken'>,
  services: Pick<Services, 'config'>,
): string {
  const project = readProjectFile(folder)
  const isCurrent = project?.baseUrl === current.baseUrl && project.simToken === current.simToken
  if (project && !isCurrent) writeProjectFile(folder, { ...project, ...current })
  const hint = project
    ? nextCommands(services)
    : `  ${projectFilePath(folder)} is missing, so msgctl does not know the key. Sign in with msgctl login,\n` +
      '  or delete the data folder to start over.'
  const console = services.config.console.enabled ? [`  Console   ${address}/console/`, ''] : []
  const opening = ['', `The service listens at ${address} with its existing data.`, '', ...openLines(services)]
  return [...opening, ...console, hint, ''].join('\n')
}
