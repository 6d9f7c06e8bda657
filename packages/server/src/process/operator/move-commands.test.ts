import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { closeForMove } from '#testing/features/moved-file.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { organizationCommands } from './commands.ts'
import type { Terminal } from './terminal.ts'

const keys = newSecretsKeys()
const server = await startTestServer({ worker: false, env: { SECRETS_KEYS: keys } })
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-move-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const address = 'https://b.example.com'

/** Thrown where a process would end. */
class Left extends Error {}

/** Runs a command on a database, and returns what its user would see. `typed` is what a person types when asked. */
async function type(databaseUrl: string, words: readonly string[], typed: string | null = null) {
  const seen = { out: '', err: '', asked: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: databaseUrl, SECRETS_KEYS: keys },
    write(text) {
      seen.out += text
    },
    complain(text) {
      seen.err += text
    },
    end(exitCode) {
      seen.exitCode = exitCode
    },
    readInput: async () => '',
    async ask(question) {
      seen.asked += question
      return typed
    },
    leave(exitCode) {
      seen.exitCode = exitCode
      throw new Left()
    },
  }
  await organizationCommands(terminal)
    .parseAsync(words, { from: 'user' })
    .catch((error: unknown) => {
      if (!(error instanceof Left)) throw error
    })
  return seen
}

const here = (words: readonly string[], typed?: string) => type(server.databaseUrl, words, typed)
const receiptIn = (text: string) => /^moved\.\S+$/m.exec(text)?.[0] ?? ''

/** A closed organization, and the command that exports it. */
async function closed() {
  const organization = await makeOrganization(server)
  const { organizationId: id } = organization
  await closeForMove(server, id)
  let files = 0
  const exportInto = async () => {
    files += 1
    const file = path.join(folder, `${id}-${files}`)
    expect(await here(['export', id, file])).toMatchObject({ exitCode: 0, err: '' })
    return file
  }
  return { id, exportInto, client: server.client(organization) }
}

describe('msgctl-server org end-move', () => {
  it('demands the receipt of an import of a file that was exported since the organization was closed', async () => {
    const { id, exportInto, client } = await closed()
    const other = await testDatabase()
    const end = (receipt: string) => here(['end-move', id, address, '--receipt', receipt, '--yes'])
    expect(await here(['end-move', id, address])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--receipt'),
    })
    expect(await end('nowhere')).toMatchObject({ exitCode: 1, err: expect.stringContaining('This is no receipt.') })
    const forged = `moved.1.3.1795000000.${'0'.repeat(16)}.${'0'.repeat(32)}`
    expect((await end(forged)).err).toContain('was not exported since it was closed')
    await exportInto()
    expect((await end(forged)).err).toContain('for another file than those exported here')
    const file = await exportInto()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { out } = await type(other.url, ['import', file])
    expect(out).toContain('Test: ')
    const receipt = receiptIn(out)
    expect((await type(other.url, ['import', file])).err).toContain(receipt)

    const changed = receipt.replace(/^moved\.1\.(\d+)/, (_, stored) => `moved.1.${Number(stored) + 1}`)
    expect((await end(changed)).err).toContain('The receipt was changed')
    expect((await end(receipt.replace('moved.1.', 'moved.9.'))).err).toContain('the key 9, which SECRETS_KEYS lacks')
    await expect(client.account.me()).rejects.toMatchObject({ code: 'SERVICE_BUSY' })
    expect(await end(receipt)).toMatchObject({ exitCode: 0, out: expect.stringContaining('in 7 days') })
    await expect(client.account.me()).rejects.toMatchObject({ code: 'ORGANIZATION_MOVED', details: { address } })
    expect((await end(receipt)).err).toBe(`The organization has moved to ${address}.\n`)
  })

  it('takes no receipt of an earlier closing, nor of another organization', async () => {
    const { id, exportInto } = await closed()
    const first = await closed()
    const receipt = receiptIn((await type((await testDatabase()).url, ['import', await exportInto()])).out)
    await first.exportInto()
    expect((await here(['end-move', first.id, address, '--receipt', receipt, '-y'])).err).toContain('another file')
    await here(['cancel-move', id])
    await closeForMove(server, id)
    expect((await here(['end-move', id, address, '--receipt', receipt, '-y'])).err).toContain('was not exported')
  })

  it('asks for the name of the organization, as does taking the end back', async () => {
    const { id, exportInto, client } = await closed()
    const receipt = receiptIn((await type((await testDatabase()).url, ['import', await exportInto()])).out)
    const words = ['end-move', id, address, '--receipt', receipt]
    expect(await here(words)).toMatchObject({ exitCode: 2, err: expect.stringContaining('add --yes to confirm') })
    expect(await here(words, 'Other')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Nothing was changed'),
    })
    await expect(client.account.me()).rejects.toMatchObject({ code: 'SERVICE_BUSY' })
    const ended = await here(words, 'Test')
    expect(ended).toMatchObject({ exitCode: 0, asked: expect.stringContaining(`led to ${address}`) })
    expect(await here(['cancel-move', id])).toMatchObject({ exitCode: 2 })
    const back = await here(['cancel-move', id], 'Test')
    expect(back).toMatchObject({ exitCode: 0, asked: expect.stringContaining('Stop it there first') })
    await expect(client.account.me()).resolves.toBeDefined()
  })
})

describe('msgctl-server org begin-move', () => {
  it('says after its time what is missing, that the organization stays closed, and what opens it', async () => {
    const organization = await makeOrganization(server)
    const { organizationId: id } = organization
    const client = server.client(organization)
    const { err, exitCode } = await here(['begin-move', id, '--drain-seconds', '0', '--timeout-seconds', '0'])
    expect(exitCode).toBe(1)
    expect(err).toContain('No worker has stopped its numbers: one must run. The organization stays closed')
    await expect(client.account.me()).rejects.toMatchObject({ code: 'SERVICE_BUSY' })
    const words = /msgctl-server org (cancel-move \S+)/.exec(err)?.[1]?.split(' ') ?? []
    expect(await here(words)).toMatchObject({ exitCode: 0 })
    await expect(client.account.me()).resolves.toBeDefined()
  })
})
