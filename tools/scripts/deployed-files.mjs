// The files of deploy/ that an installation gets. They are named one by one: operators keep files with secrets beside
// them, and there may be no git to ask. What only a checkout uses is left out: images are built there, as compose does.
import { cpSync } from 'node:fs'
import path from 'node:path'

export const deployedFiles = [
  'Caddyfile',
  'README.md',
  'api.env.example',
  'cells/haproxy.cfg',
  'grafana/msgctl.json',
  'haproxy.cfg',
  'kubernetes/api.yaml',
  'kubernetes/config.yaml',
  'kubernetes/ingress.yaml',
  'kubernetes/kustomization.yaml',
  'kubernetes/migrate.yaml',
  'kubernetes/network-policy.yaml',
  'kubernetes/secret.example.yaml',
  'kubernetes/worker.yaml',
  'msgctl-restart',
  'msgctl-server',
  'msgctl.env.example',
  'nginx.conf',
  'postgres/haproxy.cfg',
  'postgres/patroni.yml',
  'prometheus/alertmanager.yml',
  'prometheus/prometheus.yml',
  'prometheus/rules.test.yml',
  'prometheus/rules.yml',
  'systemd/msgctl-api@.service',
  'systemd/msgctl-gateway@.service',
  'systemd/msgctl-worker@.service',
]

/**
 * Copies the files of an installation from one folder deploy/ to another.
 *
 * @param {string} from
 * @param {string} to
 */
export function copyDeployedFiles(from, to) {
  for (const file of deployedFiles) cpSync(path.join(from, file), path.join(to, file))
}
