import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dashboard } from '../deploy/grafana/dashboard.mjs'
import { metricsReference } from '../packages/server/src/platform/metrics/reference.ts'
import { environment } from '../packages/server/src/process/settings/environment.ts'
// @ts-expect-error: a script, whose types this project does not read.
import { copyDeployedFiles, deployedFiles } from '../tools/scripts/deployed-files.mjs'

const root = path.dirname(import.meta.dirname)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const rules = read('deploy/prometheus/rules.yml')
const alerts = [...rules.matchAll(/- alert: (\w+)\n {8}(?:#.*\n {8})?expr: (.*)\n/g)].map(
  ([, name = '', expr = '']) => ({
    name,
    expr,
  }),
)
const queries = [
  ...alerts.map(({ expr }) => expr),
  ...dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]
const metrics = metricsReference()

/** Gauges of the whole service are the same in every process; these describe one process. */
const ofOneProcess = /^msgctl_(dispatcher_|clock_|info|database_pool|streams_open|job_last_(success|failure))/

describe('the alerts', () => {
  it('each have a section of the runbook that names them', () => {
    expect(alerts.length).toBeGreaterThan(10)
    const runbook = read('docs/run/runbook.md')
    for (const { name } of alerts) {
      const [, anchor = 'none'] =
        new RegExp(`alert: ${name}\\n[\\s\\S]*?docs/run/runbook\\.md#([a-z-]+)`).exec(rules) ?? []
      const section = runbook
        .split(/\n## /)
        .find((text) => text.split('\n')[0]?.toLowerCase().replaceAll(' ', '-') === anchor)
      expect(section, `${name} leads to #${anchor}`).toMatch(new RegExp(`\\*\\*${name}\\b`))
    }
  })

  it('and the dashboard ask for metrics that exist', () => {
    const names = metrics.map(({ name }) => name)
    for (const query of queries) {
      for (const [name] of query.matchAll(/\bmsgctl_\w+/g)) {
        expect(names, query).toContain(name.replace(/_(bucket|count|sum)$/, ''))
      }
    }
  })

  it('never add up a gauge of the whole service over processes', () => {
    const gauges = metrics.filter(({ name, type }) => type === 'gauge' && !ofOneProcess.test(name))
    expect(gauges.length).toBeGreaterThan(5)
    for (const { name } of gauges) {
      for (const query of queries.filter((text) => new RegExp(`\\b${name}\\b`).test(text))) {
        expect(query, name).toMatch(new RegExp(`max(?: by \\(\\w+\\) )?\\(${name}\\b`))
      }
    }
  })
})

describe('the objects of Kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.yaml'))
  const objects = files.flatMap((file) => {
    const documents = read(path.join(folder, file))
      .replaceAll(/^ *#.*\n/gm, '')
      .split(/^---$/m)
    return documents.map((text) => ({ file, text, kind: /^kind: (\w+)$/m.exec(text)?.[1] ?? '' }))
  })
  const pods = objects.filter(({ text }) => /^ {2}template:/m.test(text))
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ text }) => text)

  it('are all applied, except for the example of the secret', () => {
    const [, list = ''] = /^resources: \[(.*)\]$/m.exec(read(path.join(folder, 'kustomization.yaml'))) ?? []
    const applied = files.filter((file) => file !== 'kustomization.yaml' && !file.includes('example'))
    expect(list.split(', ').sort()).toEqual(applied.sort())
  })

  it('give no pod the token of a service account', () => {
    expect(pods.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Deployment', 'Job'])
    for (const { file, text } of pods) expect(text, file).toMatch(/^ {6}automountServiceAccountToken: false$/m)
  })

  it('bound the temporary files of every pod', () => {
    const volumes = objects.flatMap(({ text }) => [...text.matchAll(/emptyDir: \{(.*?)\}/g)].map(([, facts]) => facts))
    expect(volumes.length).toBeGreaterThan(1)
    for (const facts of volumes) expect(facts).toMatch(/^ sizeLimit: \d+Gi $/)
  })

  it('name who may reach each port of the pods, and of gateway hosts', () => {
    const ports = pods.flatMap(({ text }) => [...text.matchAll(/containerPort: (\d+)/g)].map(([, port]) => port))
    expect(new Set(ports)).toEqual(new Set(['3000', '9464']))
    for (const port of [...ports, '7070', '9475']) {
      expect(policies.filter((text) => new RegExp(`\\bport: ${port}\\b`).test(text))).toHaveLength(1)
    }
    // A rule without a source lets everything in.
    for (const text of policies) {
      expect(text).toContain('policyTypes: [Ingress]')
      const rules = text.split(/^ {4}- /m).slice(1)
      for (const rule of rules)
        expect(rule).toMatch(/^from:[\s\S]*(?:namespace|pod)Selector: \{ matchLabels[\s\S]*ports: /)
    }
    expect(
      policies.some((text) => /podSelector: \{ matchLabels: \{ app.kubernetes.io\/name: msgctl \} \}/.test(text)),
    ).toBe(true)
  })

  it('believe no proxy until the operator names it', () => {
    const [, proxies = ''] = /TRUSTED_PROXIES: (.*)$/m.exec(read(path.join(folder, 'config.yaml'))) ?? []
    expect(environment.shape.TRUSTED_PROXIES.safeParse(proxies.replaceAll('"', '')).success).toBe(false)
    expect(read('docs/run/runbook.md')).toContain('s|TRUSTED_PROXIES: .*|')
  })
})

describe('the files of deploy/', () => {
  it('set settings that exist', () => {
    const files = readdirSync(path.join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    const ofHosts = [...read('gateway-host/src/process/config.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(
      ([, name]) => name,
    )
    const names = new Set([...Object.keys(environment.shape), ...ofHosts])
    const foreign = /^(POSTGRES_|MSGCTL_|WAHA_|WHATSAPP_|NODE_IMAGE|ENTRYPOINT|HEALTHCHECK)/
    for (const file of files.filter((each) => /\.(yaml|service|example)$|Dockerfile$/.test(each))) {
      const text = read(path.join('deploy', file)).replaceAll(/#.*/g, '')
      const set = [...text.matchAll(/(?:^|[\s{"=])([A-Z]{3,}(?:_[A-Z]+)+)(?==|:)/gm)].map(([, name = '']) => name)
      const unknown = set.filter((name) => !names.has(name) && !foreign.test(name))
      expect([file, unknown]).toEqual([file, []])
    }
  })

  it('log no path and no query in nginx: they hold phone numbers', () => {
    const text = read('deploy/nginx.conf').replaceAll(/#.*/g, '')
    const [, format = ''] = /log_format msgctl ([^;]*);/.exec(text) ?? []
    expect(format).toContain('$status')
    expect(format).not.toMatch(/\$(?:request|uri|args|query_string|http_referer|document_uri)(?:_uri)?\b(?!_)/)
    const servers = text.split(/^server \{/m).slice(1)
    expect(servers).toHaveLength(2)
    for (const server of servers) {
      expect(server).toMatch(/^ {4}access_log \S+ msgctl;$/m)
      expect(server).toMatch(/^ {4}error_log \S+ crit;$/m)
    }
  })

  it('have a line for each secret of a process in its unit', () => {
    for (const unit of readdirSync(path.join(root, 'deploy/systemd'))) {
      const text = read(path.join('deploy/systemd', unit))
      const credentials = [...text.matchAll(/^LoadCredential=([\w-]+):\/etc\/msgctl\/([\w-]+)$/gm)]
      const files = [...text.matchAll(/[A-Z_]+_FILE=%d\/([\w-]+)/g)].map(([, name]) => name)
      expect([unit, files]).toEqual([unit, credentials.map(([, name]) => name)])
      // Secrets that every installation has; a unit starts without the others.
      const optional = files.filter((name) => name !== 'database-url' && name !== 'secrets-keys')
      for (const name of optional) expect(text).toContain(`SetCredential=${name}:\\n\n`)
    }
  })

  it('give the operator’s program the settings and secrets of the units', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'etc-msgctl-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const script = read('deploy/msgctl-server')
      .replace('/etc/msgctl', folder)
      .replace(/exec .*/, 'exec env')
    const run = () => {
      const lines = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: {} }).split('\n')
      return new Map(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^\w+=/, '')]))
    }
    writeFileSync(path.join(folder, 'msgctl.env'), read('deploy/msgctl.env.example'))
    const unit = read('deploy/systemd/msgctl-api@.service')
    const secrets = [...unit.matchAll(/([A-Z_]+_FILE)=%d\/([\w-]+)/g)].map(
      ([, name = '', file = '']) => [name, path.join(folder, file)] as const,
    )
    expect(run().get('SMTP_URL_FILE')).toBeUndefined()
    for (const [, file] of secrets) writeFileSync(file, '')
    const given = run()
    expect(secrets.map(([name]) => [name, given.get(name)])).toEqual(secrets)
    expect(given.get('PUBLIC_URL')).toBe('https://msg.example.com')

    // The spelling of the example is one that a shell and systemd read alike, and so are those of the reference.
    const example = read('deploy/msgctl.env.example').replace('#MAIL_FROM', 'MAIL_FROM')
    writeFileSync(path.join(folder, 'msgctl.env'), example)
    const sender = 'Msgctl <no-reply@example.com>'
    expect(run().get('MAIL_FROM')).toBe(sender)
    const spelling = `MAIL_FROM='${sender}'`
    expect(environment.shape.MAIL_FROM.safeParse('x').error?.message).toContain(spelling)
    for (const page of ['deploy/msgctl.env.example', 'docs/run/configuration.md'])
      expect(read(page)).toContain(spelling)
  })

  it('restart a process at the address that its own file names', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'etc-msgctl-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(path.join(folder, 'api-12000.env'), 'METRICS_PORT=9001\nHOST=10.0.0.5\nMETRICS_PORT="9000"\n')
    writeFileSync(path.join(folder, 'gateway-12070.env'), 'GATEWAY_METRICS_LISTEN=127.0.0.1:9070\n')
    const commands = `
      units='msgctl-api@3000|msgctl-api@12000|msgctl-worker@9471|msgctl-gateway@12070'
      list() { echo "$units" | tr '|' '\\n' | sed 's/$/.service loaded/'; }
      systemctl() { [ "$1" != list-units ] || list | grep "\${4%@*}@"; }
      curl() { for address; do :; done; echo "$address"; }
      sleep() { :; }
    `
    const script = commands + read('deploy/msgctl-restart').replace('/etc/msgctl', folder)
    const lines = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')
    expect(lines.filter((line) => line.startsWith('http'))).toEqual([
      'http://127.0.0.1:9070/healthz',
      'http://127.0.0.1:9471/readyz',
      'http://127.0.0.1:13000/readyz',
      'http://127.0.0.1:9000/readyz',
    ])
  })

  it('are packed by name, so that no secret beside them is', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
    cpSync(path.join(root, 'deploy'), from, { recursive: true })
    for (const secret of ['kubernetes/secret.yaml', 'systemd/secrets-keys']) writeFileSync(path.join(from, secret), 'x')
    copyDeployedFiles(from, to)
    const copied = readdirSync(to, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(to, path.join(entry.parentPath, entry.name)))
    const inGit = execFileSync('git', ['ls-files', 'deploy'], { cwd: root, encoding: 'utf8' })
    const ofCheckout = /\.m?ts$|\.mjs$|^compose\/|^Dockerfile/
    const product = inGit
      .split('\n')
      .map((file) => path.relative('deploy', file))
      .filter((file) => file.startsWith('..') === false && !ofCheckout.test(file))
    expect(copied.sort()).toEqual(product.sort())
    expect(deployedFiles).toHaveLength(copied.length)
    const ignored = ['deploy/kubernetes/secret.yaml', 'deploy/compose/.env']
    expect(execFileSync('git', ['check-ignore', ...ignored], { cwd: root, encoding: 'utf8' })).toBe(
      `${ignored.join('\n')}\n`,
    )
  })

  it('are installed again by each upgrade, and by each way back', () => {
    const page = read('docs/run/production.md')
    const upgrade = page.slice(page.indexOf('## 11. '))
    const first = page.slice(0, page.indexOf('## 5. '))
    const lines = first
      .split('\n')
      .filter((line) => /^(?:install|cp) \/opt\/msgctl\/deploy\/|daemon-reload$/.test(line))
    expect(lines).toHaveLength(3)
    for (const block of upgrade.match(/^```sh\n[\s\S]*?^```/gm) ?? []) {
      expect(block.split('\n').filter((line) => lines.includes(line))).toEqual(lines)
    }
    expect(upgrade.match(/^```sh/gm)).toHaveLength(2)
  })

  it('have the dashboard as its program writes it', () => {
    expect(JSON.parse(read('deploy/grafana/msgctl.json'))).toEqual(JSON.parse(JSON.stringify(dashboard())))
  })
})
