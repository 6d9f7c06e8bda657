// The drill of docs/run/runbook.md: a backup of Debian's pg_dump, restored into another database.
import path from 'node:path'
import { refusal } from '../../scripts/process.mjs'
import { call, start, until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, settings, signIn, startProcess } from './service.mjs'

/** @import { Postgres } from './postgres.mjs' */
/** @import { Context } from './service.mjs' */

const queued = 20

/**
 * Restores a backup with queued texts. Throws unless it is refused, and then sends nothing until its queue is released.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 * @param {Postgres} postgres
 */
export async function drill({ folder, packed }, databaseUrl, postgres) {
  const env = settings(folder, databaseUrl)
  operate(packed, env, 'migrate')
  const organization = createOrganization(packed, env)
  const { apiKey } = organization
  let api = await startProcess(packed, env, 'api')
  let worker = await startProcess(packed, env, 'worker')
  await addNumber(api.address, organization)
  await worker.stopWell()
  const recipients = Array.from({ length: queued }, (_, n) => `1202555${3000 + n}`)
  await clientOf(api.address, apiKey).alert.batch({ recipients, message: 'queued in the backup' })
  await api.stopWell()

  const file = path.join(folder, 'backup')
  call('pg_dump', ['--format=custom', '--file', file, databaseUrl])
  const restored = postgres.createDatabase('restored')
  call('pg_restore', ['--no-owner', '--dbname', restored, file])
  const there = { ...env, DATABASE_URL: restored, DATABASE_URL_FILE: undefined }
  const refused = start(process.execPath, [path.join(packed, 'bin/msgctl-server.mjs')], {
    env: { ...there, PORT: '0' },
  })
  if ((await refused.ended) !== 1 || !refused.output().includes('after-restore'))
    throw refusal(`A restored database was served:\n${refused.output()}`)
  const answer = JSON.parse(operate(packed, there, 'after-restore', '--json'))
  if (answer.messagesHeld !== queued) throw refusal(`after-restore held\n${JSON.stringify(answer)}`)

  api = await startProcess(packed, there, 'api')
  worker = await startProcess(packed, there, 'worker')
  try {
    const client = clientOf(api.address, apiKey)
    // The restore ended all sessions.
    const person = await signIn(api.address, organization)
    // A text through another number shows that the worker sends.
    await person.numbers.create({ label: 'After the restore' })
    const numbers = await until('A second number', async () => {
      const { sessions } = await client.numbers.list()
      return sessions.filter(({ connected }) => connected).length === 2 && sessions
    })
    const held = numbers.find(({ queueHeld }) => queueHeld)
    const other = numbers.find(({ queueHeld }) => !queueHeld)
    if (held === undefined || other === undefined)
      throw refusal('Expected one number that holds its queue and one that does not')
    await client.alert.send({ phone: '12025553999', message: 'new', containerId: other.id })
    const handed = () => Number(postgres.psql('restored', `select count(*) from sim_messages where direction = 'out'`))
    await until('A new text', async () => handed() === 1)
    await person.numbers.release({ containerId: held.id, action: 'send' })
    await until('The released texts', async () => handed() === 1 + queued)
    return `${queued} texts held, then sent once each after the release`
  } finally {
    await api.stop('SIGKILL')
    await worker.stop('SIGKILL')
  }
}
