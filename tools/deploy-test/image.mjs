// The image of deploy/Dockerfile, built without Docker over a Debian of debootstrap with the Node of this machine.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root } from '../scripts/process.mjs'
import { call } from './programs.mjs'

const mirror = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'

/** Builds the second stage with the packed folder in place of the first, and runs `migrate` and `check` as its user. */
export async function buildImage({ folder, packed }, databaseUrl) {
  const store = [
    '--root',
    path.join(folder, 'images'),
    '--runroot',
    path.join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
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
  const settings = ['GATEWAY=simulator', `DATABASE_URL=${databaseUrl}`].flatMap((each) => ['--env', each])
  const run = (...args) => buildah('run', '--isolation', 'chroot', ...settings, container, '--', ...args)
  if (run('id', '-u') !== '10001') throw refusal('The image does not run as user 10001')
  const migrated = run('node', '/opt/msgctl/bin/msgctl-server.mjs', 'migrate')
  if (!migrated.includes('up to date now')) throw refusal(`migrate printed\n${migrated}`)
  return 'built, and migrated a database as user 10001'
}
