import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from './service.ts'
import { parseSession, renderSession, runSession, Shell } from './session.ts'

const folder = path.join(import.meta.dirname, '../../acceptance')
const files = readdirSync(folder).filter((file) => file.endsWith('.session'))
const makeWorkspace = await startService({ PAYMENTS: 'simulated' })

describe('acceptance sessions', () => {
  it('are there', () => {
    expect(files.length).toBeGreaterThan(5)
  })

  it.each(files)('%s', async (file) => {
    const workspace = await makeWorkspace()
    const { baseUrl, origin, apiKey, owner, phone, internet, address, machine } = workspace
    // A session about signing in starts without a project file.
    if (!file.startsWith('login')) workspace.writeProjectFile()
    const session = parseSession(readFileSync(path.join(folder, file), 'utf8'))
    const columns = /^# columns (\d+)$/m.exec(session.head.join('\n'))?.[1]
    const variables = {
      BASE_URL: baseUrl,
      ORIGIN: origin,
      FILES: internet,
      KEY: apiKey,
      EMAIL: owner.email,
      PASSWORD: owner.password,
      PHONE: phone,
      ADDRESS: address,
    }
    const shell = new Shell(
      machine,
      variables,
      columns === undefined ? {} : { terminal: true, columns: Number(columns) },
    )
    const ran = await runSession(shell, session)
    expect(ran.length).toBeGreaterThan(1)
    if (columns !== undefined) {
      const lines = ran.flatMap(({ stdout }) => stdout.split('\n'))
      expect(lines.filter((line) => [...line].length > Number(columns))).toEqual([])
    }
    // `npm run generate` rewrites what differs.
    await expect(renderSession(shell, session, ran)).toMatchFileSnapshot(path.join(folder, file))
  })
})
