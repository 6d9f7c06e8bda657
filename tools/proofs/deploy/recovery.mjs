// The recovery to a moment of docs/run/runbook.md: its commands are read from that page and run as they stand there.
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { refusal, root, stackOf } from '../../scripts/process.mjs'
import { asPostgres, postgresPrograms } from './postgres.mjs'
import { call, freePort, start, until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, settings, signIn, startProcess } from './service.mjs'

/** @import { Context, Organization } from './service.mjs' */

/** @typedef {Awaited<ReturnType<typeof makeMachine>>} Machine */
/** @typedef {{ packed: string, machine: Machine, env: NodeJS.ProcessEnv }} Served */

/** More texts than a number sends in that time: at the moment, some wait. */
const everyMs = 300
const seconds = { beforeCopy: 4, beforeMoment: 8, afterMoment: 8 }

/**
 * Returns the shell commands of a section of the runbook, block by block.
 *
 * @param {string} section
 */
function commandsOf(section) {
  const page = readFileSync(path.join(root, 'docs/run/runbook.md'), 'utf8')
  const [, text] = page.split(`### ${section}\n`)
  if (text === undefined) throw refusal(`docs/run/runbook.md has no section ${section}`)
  const [own = ''] = text.split(/^##/m)
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
}

/**
 * A Postgres that systemd would run: the shell functions below stand for systemctl, sudo and the paths of Debian.
 *
 * @param {string} folder
 * @param {string} packed
 */
async function makeMachine(folder, packed) {
  const own = path.join(folder, 'recovery')
  const account = asPostgres()
  if (account.uid === undefined) throw refusal('Only root may start Postgres as another user')
  const data = path.join(own, 'data')
  const backups = path.join(own, 'backups')
  const port = await freePort()
  mkdirSync(own)
  chownSync(own, account.uid, account.gid)
  const where = { ...account, cwd: own }
  call('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], where)
  const programs = postgresPrograms()
  const env = { PATH: `${process.env.PATH}:${programs}`, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' }
  const shims = `
    sudo() { shift 2; setpriv --reuid=${account.uid} --regid=${account.gid} --clear-groups "$@"; }
    systemctl() {
      case "$*" in *postgresql*)
        sudo -u postgres pg_ctl -D '${data}' -l '${own}/log' -w -t 120 -m fast \\
          -o '-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=' "$1" ;;
      esac
    }
    msgctl-server() { '${process.execPath}' '${packed}/bin/msgctl-server.mjs' "$@"; }
  `
  /**
   * Runs commands of the page and lets this process continue. `values` replaces the examples of the page.
   *
   * @param {string} commands
   * @param {NodeJS.ProcessEnv} [more]
   * @param {Record<string, string>} [values]
   */
  async function type(commands, more = {}, values = {}) {
    let text = commands.replaceAll('/var/backups/msgctl', backups).replaceAll('/var/lib/postgresql/17/main', data)
    for (const [name, value] of Object.entries(values)) {
      if (!text.includes(`${name}=`)) throw refusal(`The page sets no ${name}:\n${commands}`)
      text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`)
    }
    const running = start('bash', ['-euc', `${shims}\n${text}`], { cwd: own, env: { ...more, ...env } })
    if ((await running.ended) !== 0) throw refusal(`${text}\n${running.output()}`)
    return running.output()
  }
  /**
   * @param {string} database
   * @param {string} statement
   */
  const psql = (database, statement) =>
    call('psql', ['-d', database, '-v', 'ON_ERROR_STOP=1', '-Atqc', statement], { env }).trim()
  await type('systemctl start postgresql')
  psql('postgres', `create role msgctl login password 'msgctl'`)
  psql('postgres', 'create database msgctl owner msgctl')
  return {
    backups,
    psql,
    type,
    log: () => readFileSync(path.join(own, 'log'), 'utf8').slice(-4000),
    url: `postgres://msgctl:msgctl@127.0.0.1:${port}/msgctl`,
    stop: () => type('systemctl stop postgresql').catch(() => undefined),
  }
}

/**
 * Sends texts until it is stopped. Resolves with the ids that were confirmed, and when.
 *
 * @param {string} address
 * @param {string} apiKey
 */
function startTexts(address, apiKey) {
  const client = clientOf(address, apiKey)
  /** @type {{ id: string, at: number }[]} */
  const confirmed = []
  const running = new Set()
  /** @type {string[]} */
  const failures = []
  let made = 0
  const timer = setInterval(() => {
    made += 1
    const done = client.alert
      .send({ phone: `1202555${3000 + (made % 50)}`, message: `text ${made}` })
      .then(({ messageId }) => confirmed.push({ id: messageId, at: Date.now() }))
      .catch((error) => failures.push(error.message))
      .finally(() => running.delete(done))
    running.add(done)
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(running)
    if (failures.length > 0) throw refusal(`Texts failed before the recovery: ${failures.slice(0, 3).join(', ')}`)
    return confirmed
  }
}

const handedOver = `select content from sim_messages where direction = 'out'`
/** @param {string} text */
const lines = (text) => text.split('\n').filter((line) => line !== '')

/**
 * Serves with traffic, copies the database concurrently, and ends without a clean stop.
 *
 * @param {Served & { copy: string }} given
 */
async function serveUntilTheLoss({ packed, machine, env, copy }) {
  const organization = createOrganization(packed, env)
  const api = await startProcess(packed, env, 'api')
  const worker = await startProcess(packed, env, 'worker')
  try {
    await addNumber(api.address, organization)
    const stopTexts = startTexts(api.address, organization.apiKey)
    await wait(seconds.beforeCopy * 1000)
    await machine.type(copy)
    await wait(seconds.beforeMoment * 1000)
    const moment = new Date()
    await wait(seconds.afterMoment * 1000)
    const confirmed = await stopTexts()
    return { organization, moment, confirmed, sent: lines(machine.psql('msgctl', handedOver)) }
  } finally {
    await api.stop('SIGKILL')
    await worker.stop('SIGKILL')
  }
}

/**
 * Starts the service on the recovered database. Returns what it hands over, although a new text leaves.
 *
 * @param {Served & { organization: Organization }} given
 */
async function serveAgain({ packed, machine, env, organization }) {
  const before = new Set(lines(machine.psql('msgctl', handedOver)))
  const api = await startProcess(packed, env, 'api')
  const worker = await startProcess(packed, env, 'worker')
  const news = () => lines(machine.psql('msgctl', handedOver)).filter((content) => !before.has(content))
  try {
    const person = await signIn(api.address, organization)
    await person.numbers.create({ label: 'After the recovery' })
    const numbers = await until('A second number', async () => {
      const { sessions } = await person.numbers.list()
      return sessions.filter(({ connected }) => connected).length === 2 && sessions
    })
    const client = clientOf(api.address, organization.apiKey)
    const held = numbers.find(({ queueHeld }) => queueHeld)
    const other = numbers.find(({ queueHeld }) => !queueHeld)
    if (held === undefined || other === undefined)
      throw refusal('Expected one number that holds its queue and one that does not')
    /**
     * @param {string} containerId
     * @param {string} message
     */
    const send = async (containerId, message) => {
      await client.alert.send({ phone: '12025553999', message, containerId })
      await until(message, async () => news().some((content) => content.includes(message)))
    }
    await send(other.id, 'new through another number')
    await person.numbers.release({ containerId: held.id, action: 'discard' })
    await send(held.id, 'new through the number that was held')
    return { before, news: news() }
  } finally {
    await api.stop('SIGKILL')
    await worker.stop('SIGKILL')
  }
}

/**
 * Recovers to a moment under traffic. Throws when a text confirmed before it is lost, or one that was sent leaves
 * again.
 *
 * @param {Context} context
 */
export async function recover({ folder, packed }) {
  const [archive = '', copy = '', back = '', answer = ''] = commandsOf('Recovery to a moment')
  if (answer === '') throw refusal('The recovery to a moment in docs/run/runbook.md has fewer than four blocks')
  const machine = await makeMachine(folder, packed)
  try {
    await machine.type(archive)
    const env = settings(folder, machine.url)
    operate(packed, env, 'migrate')
    const { organization, moment, confirmed, sent } = await serveUntilTheLoss({ packed, machine, env, copy })
    const copied = readdirSync(machine.backups).find((name) => name.startsWith('base-'))
    if (copied === undefined) throw refusal(`${machine.backups} has no copy`)
    const base = path.join(machine.backups, copied)
    if (!statSync(base).isDirectory()) throw refusal(`${base} is no copy`)
    await machine.type(back, {}, { moment: moment.toISOString().replace('Z', '+00'), base })

    const refused = start(process.execPath, [path.join(packed, 'bin/msgctl-server.mjs')], {
      env: { ...env, PORT: '0' },
    })
    if ((await refused.ended) !== 1 || !refused.output().includes('after-restore'))
      throw refusal(`A recovered database was served:\n${refused.output()}`)
    await machine.type(answer, env)

    const stored = new Set(lines(machine.psql('msgctl', 'select id from messages')))
    const early = confirmed.filter(({ at }) => at < moment.getTime())
    const lost = early.filter(({ id }) => !stored.has(id)).length
    const after = await serveAgain({ packed, machine, env, organization })
    const forgotten = sent.filter((content) => !after.before.has(content))
    const again = after.news.filter((content) => sent.includes(content)).length
    const seen =
      `${confirmed.length} texts confirmed, ${early.length} of them before the moment: ${lost} lost; ` +
      `${forgotten.length} sent after it: ${again} sent again`
    if (lost + again > 0 || stored.size >= confirmed.length || forgotten.length === 0 || after.news.length !== 2)
      throw refusal(`${seen}; ${stored.size} recovered, ${after.news.length} new`)
    return seen
  } catch (error) {
    throw refusal(`${stackOf(error)}\n${machine.log()}`)
  } finally {
    await machine.stop()
  }
}
