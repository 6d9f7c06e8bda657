import type { RunningServer } from '../process/start.ts'
import { linkDemo, makeDemo } from './demo.ts'
import { type ProjectFile, projectFilePath, readProjectFile, writeProjectFile } from './project-file.ts'

const nextCommand = '  npx msgctl send +12025550100 "hello" --wait read'

/**
 * Fills an empty embedded database with one organization, its owner, a linked simulated number and a key. Returns the text
 * that shows them once, and writes them to `.msgctl.json` in `folder`. Later starts only return the addresses.
 */
export async function quickStart(
  { services, http }: Pick<RunningServer, 'services' | 'http'>,
  folder: string,
): Promise<string> {
  if (!http) return 'The worker is running.'
  const baseUrl = `${http.address}/api/v1`
  const demo = await makeDemo(services)
  const simToken = services.config.simulator.token ?? undefined
  if (!demo) return laterStart(folder, http.address, { baseUrl, simToken })
  // Written before anything else can fail, because the key is known only now.
  writeProjectFile(folder, { baseUrl, apiKey: demo.apiKey, owner: demo.owner, simToken })
  const linked = await linkDemo(services, demo)
  return [
    '',
    `The service listens at ${http.address}`,
    '',
    `  API       ${baseUrl}`,
    `  Reference ${http.address}/docs`,
    `  Key       ${demo.apiKey}`,
    `  Owner     ${demo.owner.email}, password ${demo.owner.password}`,
    `  Number    ${linked ? 'one simulated number, linked' : 'one simulated number; it is still being linked'}`,
    '',
    'Key and password are shown this once. msgctl reads them from .msgctl.json. Now run in another terminal:',
    '',
    nextCommand,
    '',
  ].join('\n')
}

function laterStart(folder: string, address: string, current: Pick<ProjectFile, 'baseUrl' | 'simToken'>): string {
  const project = readProjectFile(folder)
  const isCurrent = project?.baseUrl === current.baseUrl && project.simToken === current.simToken
  if (project && !isCurrent) writeProjectFile(folder, { ...project, ...current })
  const hint = project
    ? nextCommand
    : `  ${projectFilePath(folder)} is missing, so msgctl does not know the key. Sign in with msgctl login,\n  or delete the data folder to start over.`
  return ['', `The service listens at ${address} with its existing data.`, '', hint, ''].join('\n')
}
