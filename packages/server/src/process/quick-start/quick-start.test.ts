import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { GatewayError } from '@msgctl/network/errors'
import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { sessionOf } from '#testing/session-of.ts'
import { testSimToken } from '#testing/sim.ts'
import { startTestServer, type TestServer } from '#testing/start-server.ts'
import { linkDemo, makeDemo } from './demo.ts'
import { readProjectFile, writeProjectFile } from './project-file.ts'
import { prepareDemo, quickStartNotice } from './quick-start.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quick-start-'))
  folders.push(folder)
  return folder
}

async function begin({ services, address }: TestServer, folder: string): Promise<string> {
  const demo = await prepareDemo(services, folder)
  const http = { address, port: 0, drain: () => undefined, stop: async () => undefined }
  return quickStartNotice({ services, http }, folder, demo)
}

const mode = (folder: string) => statSync(path.join(folder, '.msgctl.json')).mode & 0o777
const example = {
  baseUrl: 'http://127.0.0.1:1/api/v1',
  apiKey: 'msk_x',
  owner: { email: 'a@example.com', password: 'p' },
}

describe('the quick start', () => {
  it('names an address that msgctl takes when it listens on every one, and warns of that', async () => {
    const server = await startTestServer({ env: { HOST: '0.0.0.0' }, worker: false })
    const folder = newFolder()
    const text = await begin(server, folder)
    const baseUrl = server.baseUrl.replace('0.0.0.0', '127.0.0.1')
    expect(readProjectFile(folder)?.baseUrl).toBe(baseUrl)
    expect(text).toContain(`API       ${baseUrl}\n`)
    expect(text).toMatch(/Warning: other machines reach this service .*, and sign-up is open to them/)
    expect(await begin(server, folder)).toContain('Warning: other machines')
  })

  it('makes an empty database usable: what it prints signs in, and its key sends a message that is read', async () => {
    const server = await startTestServer()
    const folder = newFolder()
    const text = await begin(server, folder)
    const project = readProjectFile(folder)
    if (!project) throw new Error('there is no project file')
    expect(project.baseUrl).toBe(server.baseUrl)
    expect(mode(folder)).toBe(0o600)
    for (const shown of [server.address, project.apiKey, project.owner.email, project.owner.password])
      expect(text).toContain(shown)
    expect(text).toContain('one simulated number, linked')
    expect(text).toContain(`${server.address}/docs`)
    expect(text).toContain('npx msgctl send +12025550100 "hello" --wait read')

    const code = new RegExp(`${server.address}/console/#welcome=([\\w-]{43})\\n`).exec(text)?.[1] ?? ''
    expect((await sessionOf(server.client({}).auth.welcome({ code }))).user.email).toBe(project.owner.email)
    await expect(server.client({}).auth.welcome({ code })).rejects.toMatchObject({ code: 'INVALID_LINK' })

    const { user } = await sessionOf(server.client({}).auth.signIn(project.owner))
    expect(user.memberRole).toBe('owner')
    const client = server.client(project)
    expect((await client.account.me()).products).toEqual(['notify', 'assistant', 'shop', 'developer', 'connect'])
    expect((await client.numbers.status()).status).toBe('WORKING')
    const { messageId } = await client.alert.send({ phone: '+12025550100', message: 'hello' })
    await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'read',
    )

    const later = await begin(server, folder)
    expect(later).toContain('with its existing data')
    expect(later).not.toContain(project.apiKey)
    expect(await rows(server.db, 'select 1 as one from organizations')).toHaveLength(1)
  })

  it('waits for a number that links itself while it is asked for a code', async () => {
    const states = ['STARTING', 'SCAN_QR_CODE', 'STARTING', 'WORKING']
    const gateway = {
      state: async () => ({ status: states.shift() ?? 'WORKING' }),
      pairingCode: async () => {
        throw new GatewayError('session', 'The number cannot be paired now (STARTING).')
      },
    } as unknown as Parameters<typeof linkDemo>[0]['gateway']
    const owner = { email: 'a@example.com', password: 'p' }
    await expect(
      linkDemo({ gateway }, { organizationId: 'o', containerId: 'c', apiKey: 'k', owner, welcomeCode: null }),
    ).resolves.toBe(true)
    expect(states).toEqual([])
  })

  it('says when msgctl cannot know the key any more, and follows the service to another port', async () => {
    const server = await startTestServer({ worker: false })
    await makeDemo(server.services)
    const folder = newFolder()
    expect(await begin(server, folder)).toContain('.msgctl.json is missing')
    writeProjectFile(folder, example)
    await begin(server, folder)
    expect(readProjectFile(folder)).toEqual({ ...example, baseUrl: server.baseUrl, simToken: testSimToken })
  })

  it('leaves the file of another service until it listens itself, and keeps it', async () => {
    const server = await startTestServer({ worker: false })
    const folder = newFolder()
    writeProjectFile(folder, example)
    const demo = await prepareDemo(server.services, folder)
    expect(readProjectFile(folder)).toEqual(example)
    const http = { address: server.address, port: 0, drain: () => undefined, stop: async () => undefined }
    const text = quickStartNotice({ services: server.services, http }, folder, demo)
    const backup = path.join(folder, '.msgctl.json.bak')
    expect(text).toContain(`The file of another service is kept as ${backup}.`)
    expect(JSON.parse(readFileSync(backup, 'utf8'))).toEqual(example)
    expect(readProjectFile(folder)?.apiKey).toBe(demo?.apiKey)
  })

  it('leaves a database alone that holds an organization', async () => {
    const server = await startTestServer({ worker: false })
    expect(await makeDemo(server.services)).not.toBeNull()
    expect(await makeDemo(server.services)).toBeNull()
    expect(await rows(server.db, 'select 1 as one from organizations')).toHaveLength(1)
  })

  it('is for who runs the API', async () => {
    const { services } = await startTestServer({ worker: false })
    expect(quickStartNotice({ services, http: null }, newFolder(), null)).toBe('The worker is running.')
  })
})

describe('the project file', () => {
  it('is readable by its owner only, also where a file stood that others could read', () => {
    const folder = newFolder()
    const file = path.join(folder, '.msgctl.json')
    writeFileSync(file, '{}')
    chmodSync(file, 0o666)
    writeProjectFile(folder, example)
    expect(mode(folder)).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(example)
    expect(readdirSync(folder)).toEqual(['.msgctl.json'])
  })

  it.each(['', 'not json', '[]', '{"baseUrl": 1}', '{"baseUrl": "x", "apiKey": "y"}'])(
    'of %j is none of ours',
    (text) => {
      const folder = newFolder()
      writeFileSync(path.join(folder, '.msgctl.json'), text)
      expect(readProjectFile(folder)).toBeNull()
    },
  )
})
