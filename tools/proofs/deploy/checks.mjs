// What is proven, and by which programs.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { dashboard } from '../../../deploy/grafana/dashboard.mjs'
import { refusal, root } from '../../scripts/process.mjs'
import { fireAlerts } from './alerts.mjs'
import { drill } from './backup.mjs'
import { moveBetweenCells } from './cells.mjs'
import { failOver } from './failover.mjs'
import { buildImage } from './image.mjs'
import { validateObjects } from './kubernetes.mjs'
import { overlaps, queriesWithoutData } from './monitoring.mjs'
import { pooled } from './pooler.mjs'
import { startPostgres } from './postgres.mjs'
import { call } from './programs.mjs'
import { caddy, haproxy, nginx } from './proxies.mjs'
import { recover } from './recovery.mjs'
import { rollBehind } from './rolling.mjs'
import { operate, settings, startAll } from './service.mjs'
import { upgrade, whyNoUpgrade } from './upgrade.mjs'

/** @import { Postgres } from './postgres.mjs' */
/** @import { StartProxy } from './rolling.mjs' */
/** @import { Context } from './service.mjs' */

/**
 * A check of what deploy/ has.
 *
 * @typedef {object} Check
 * @property {string} name
 * @property {string[]} needs The programs that it runs, and `root`.
 * @property {() => string | null} [skips] Returns why there is nothing to check, or null.
 * @property {(context: Context) => Promise<string | undefined>} run Returns what was seen.
 */

const deploy = path.join(root, 'deploy')

/**
 * Runs `work` with the URL of an empty database of a Postgres that ends afterwards.
 *
 * @template T
 * @param {string} folder
 * @param {(url: string, postgres: Postgres) => T | Promise<T>} work
 */
async function withDatabase(folder, work) {
  const postgres = await startPostgres(path.join(folder, `postgres-${process.hrtime.bigint()}`))
  try {
    return await work(postgres.createDatabase('msgctl'), postgres)
  } finally {
    await postgres.stop()
  }
}

/** @param {Context} context */
async function runPacked({ folder, packed }) {
  return withDatabase(folder, async (databaseUrl) => {
    const env = settings(folder, databaseUrl)
    const { organization, api, worker, host } = await startAll(packed, env)
    try {
      operate(packed, env, 'check')
      const msgctl = { ...env, MSG_API_KEY: organization.apiKey, MSG_BASE_URL: `${api.address}/api/v1` }
      if (!call(path.join(packed, 'bin/msgctl'), ['messages', 'list'], { env: msgctl }).includes('deployed'))
        throw refusal('The packed msgctl does not list what was sent')
      const check = operate(packed, { ...env, GATEWAY: 'direct' }, 'check')
      if (!/ok +Gateway hosts/.test(check)) throw refusal(`The packed gateway host is not seen:\n${check}`)
    } finally {
      await api.stopWell()
      await worker.stopWell()
      await host.stop()
    }
    return 'checked, migrated, sent 5 texts, listed them with msgctl, saw the gateway host, and ended with 0'
  })
}

const postgres = ['initdb', 'postgres', 'psql']
/** What systemd-analyze security may say of a unit: 0 is a sandbox without holes, 10 an ordinary service. */
const mostExposure = 2

/**
 * @param {string} name
 * @param {string[]} needs
 * @param {(folder: string) => StartProxy} proxy
 * @returns {Check}
 */
function rolling(name, needs, proxy) {
  return {
    name,
    needs: [...postgres, ...needs],
    run: ({ folder, packed }) =>
      withDatabase(folder, (databaseUrl) => rollBehind(proxy(folder), { folder, packed, databaseUrl })),
  }
}

/** @param {Context} context */
async function watch({ folder, packed }) {
  const crossed = overlaps(dashboard())
  if (crossed.length > 0) throw refusal(`These panels overlap: ${crossed.join('; ')}`)
  return withDatabase(folder, (databaseUrl) => queriesWithoutData({ folder, packed, databaseUrl }))
}

/**
 * Every check, with the programs that it needs.
 *
 * @type {Check[]}
 */
export const checks = [
  { name: 'packed', needs: postgres, run: runPacked },
  rolling('nginx', ['nginx', 'openssl'], nginx),
  rolling('caddy', ['caddy'], caddy),
  rolling('haproxy', ['haproxy'], haproxy),
  {
    name: 'upgrade',
    needs: [...postgres, 'nginx', 'openssl', 'git'],
    skips: whyNoUpgrade,
    run: (context) => withDatabase(context.folder, (url) => upgrade(context, url)),
  },
  {
    name: 'backup',
    needs: [...postgres, 'pg_dump', 'pg_restore'],
    run: (context) => withDatabase(context.folder, (url, own) => drill(context, url, own)),
  },
  {
    name: 'recovery',
    needs: ['root', ...postgres, 'pg_basebackup', 'pg_ctl', 'setpriv'],
    run: recover,
  },
  {
    name: 'pgbouncer',
    needs: [...postgres, 'pgbouncer'],
    run: (context) => withDatabase(context.folder, (url, own) => pooled(context, url, own)),
  },
  {
    name: 'cells',
    needs: [...postgres, 'haproxy'],
    run: (context) =>
      withDatabase(context.folder, (_url, { createDatabase, psql }) =>
        moveBetweenCells(context, [createDatabase('a'), createDatabase('b')], psql),
      ),
  },
  { name: 'failover', needs: [...postgres, 'patroni', 'etcd', 'haproxy'], run: failOver },
  {
    name: 'systemd',
    needs: ['systemd-analyze'],
    async run() {
      const exposures = []
      const units = readdirSync(path.join(deploy, 'systemd')).map((file) => path.join(deploy, 'systemd', file))
      for (const unit of units) {
        const said = call('systemd-analyze', ['verify', '--man=no', unit.replace('@.', '@9471.')], {
          env: { ...process.env, SYSTEMD_UNIT_PATH: `${deploy}/systemd:` },
        })
        if (said.includes('msgctl')) throw refusal(said)
        const rated = call('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
        exposures.push(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(rated)?.[1]))
      }
      if (!(Math.max(...exposures) <= mostExposure))
        throw refusal(`The exposure of the units is ${exposures.join(', ')}`)
      return `${units.length} units verified, exposure ${exposures.join(' and ')}`
    },
  },
  {
    name: 'prometheus',
    needs: ['promtool'],
    async run() {
      const cwd = path.join(deploy, 'prometheus')
      call('promtool', ['check', 'config', 'prometheus.yml'], { cwd })
      call('promtool', ['test', 'rules', 'rules.test.yml'], { cwd })
      return call('promtool', ['check', 'rules', 'rules.yml'], { cwd }).match(/\d+ rules/)?.[0]
    },
  },
  {
    name: 'alertmanager',
    needs: ['amtool'],
    async run() {
      const file = path.join(deploy, 'prometheus/alertmanager.yml')
      call('amtool', ['check-config', file])
      for (const severity of ['page', 'ticket']) {
        const receiver = call('amtool', ['config', 'routes', 'test', `--config.file=${file}`, `severity=${severity}`])
        if (receiver.split('\n')[0] !== severity) throw refusal(`Alerts with severity ${severity} go to ${receiver}`)
      }
      return 'valid, pages and tickets go to receivers of their own'
    },
  },
  {
    name: 'alerts',
    needs: [...postgres, 'prometheus'],
    run: (context) => withDatabase(context.folder, (url, own) => fireAlerts(context, url, own)),
  },
  { name: 'dashboard', needs: [...postgres, 'prometheus'], run: watch },
  {
    name: 'kubernetes',
    needs: ['kubectl', 'npm'],
    run: validateObjects,
  },
  {
    name: 'compose',
    needs: ['docker-compose'],
    async run() {
      const env = { ...process.env, GATEWAY: 'direct', MSGCTL_HOST: 'msg.example.com', WAHA_API_KEY: 'key' }
      for (const more of [[], ['waha.yaml'], ['direct.yaml']]) {
        const files = ['compose.yaml', ...more].flatMap((file) => ['-f', path.join(deploy, 'compose', file)])
        call('docker-compose', [...files, 'config', '--quiet'], { env })
      }
      return 'valid, alone, with WAHA and with a gateway host'
    },
  },
  {
    name: 'image',
    needs: ['root', 'buildah', 'debootstrap', ...postgres],
    run: (context) => withDatabase(context.folder, (url) => buildImage(context, url)),
  },
]
