// The image of deploy/Dockerfile, built without Docker over a Debian of debootstrap with the Node of this machine.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root } from '../../scripts/process.mjs'
import { call, freePort, start, until } from './programs.mjs'

/** @import { Program } from './programs.mjs' */
/** @import { Context } from './service.mjs' */

const server = '/opt/msgctl/bin/msgctl-server.mjs'
const mirror = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'

/**
 * Builds the second stage with the packed folder in place of the first. Runs `migrate` as its user, then the service
 * until a SIGTERM.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 */
export async function buildImage({ folder, packed }, databaseUrl) {
  const store = [
    '--root',
    path.join(folder, 'images'),
    '--runroot',
    path.join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
  /** @param {string[]} args */
  const buildah = (...args) => call('buildah', [...store, ...args]).trim()
  const debian = path.join(folder, 'debian')
  call('debootstrap', ['--variant=minbase', '--include=libstdc++6,libatomic1', 'bookworm', debian, mirror])
  mkdirSync(path.join(debian, 'usr/local/bin'), { recursive: true })
  cpSync(process.execPath, path.join(debian, 'usr/local/bin/node'), { dereference: true })
  const context = path.join(folder, 'context')
  mkdirSync(context)
  call('tar', ['-C', debian, '-cf', path.join(context, 'debian.tar'), '.'])
  writeFileSync(path.join(context, 'Base'), 'FROM scratch\nADD debian.tar /\n')
  buildah('bud', '--isolation', 'chroot', '-t', 'localhost/base', '-f', path.join(context, 'Base'), context)
  // The first stage packs, which needs a registry: its result is copied from here instead.
  const file = path.join(context, 'Dockerfile')
  const stages = call('cat', [path.join(root, 'deploy/Dockerfile')])
  writeFileSync(file, stages.replace(/^FROM .* AS build[\s\S]*?\n\n/m, '').replace('--from=build /out', 'packed'))
  cpSync(packed, path.join(context, 'packed'), { recursive: true })
  buildah(
    'bud',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--build-arg',
    'NODE_IMAGE=localhost/base',
    '-t',
    'msgctl',
    '-f',
    file,
    context,
  )
  const container = buildah('from', 'msgctl')
  const [port, metricsPort] = [await freePort(), await freePort()]
  const settings = [
    ...['GATEWAY=simulator', `DATABASE_URL=${databaseUrl}`, 'HOST=127.0.0.1', 'METRICS_HOST=127.0.0.1'],
    ...[`PORT=${port}`, `METRICS_PORT=${metricsPort}`, 'DRAIN_DELAY_SECONDS=0'],
  ].flatMap((each) => ['--env', each])
  /** @param {string[]} args */
  const running = (...args) => ['run', '--isolation', 'chroot', ...settings, container, '--', ...args]
  /** @param {string[]} args */
  const run = (...args) => buildah(...running(...args))
  if (run('id', '-u') !== '10001') throw refusal('The image does not run as user 10001')
  const migrated = run('node', server, 'migrate')
  if (!migrated.includes('up to date now')) throw refusal(`migrate printed\n${migrated}`)
  await serve(start('buildah', [...store, ...running('node', server)]), { port, metricsPort })
  return 'built, migrated a database as user 10001, served /docs, and ended with 0 on SIGTERM'
}

/**
 * Waits until the container serves, reads a page, and ends the service in it as an orchestrator does.
 *
 * @param {Program} container
 * @param {{ port: number, metricsPort: number }} ports
 */
async function serve(container, { port, metricsPort }) {
  /** @param {string} address */
  const ok = (address) => fetch(address).then((response) => response.ok)
  await until('The image', () => ok(`http://127.0.0.1:${metricsPort}/readyz`), 60_000).catch((error) => {
    throw refusal(`${error.message}\n${container.output()}`)
  })
  if (!(await ok(`http://127.0.0.1:${port}/docs`))) throw refusal('The image does not serve /docs')
  // The service is the only one with this port among its settings; the signal goes to it, not to buildah.
  const pid = processesOf(10001).find((each) =>
    readFileSync(`/proc/${each}/environ`, 'utf8').includes(`PORT=${port}\0`),
  )
  if (pid === undefined) throw refusal('No process of user 10001 serves')
  process.kill(pid, 'SIGTERM')
  const code = await container.ended
  if (code !== 0) throw refusal(`The image ended with ${code}:\n${container.output()}`)
}

/** @param {number} uid */
function processesOf(uid) {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(Number).filter((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid)
}
