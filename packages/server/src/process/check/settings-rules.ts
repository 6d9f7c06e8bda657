import type { Config } from '#process/config.ts'
import { type Finding, finding } from './finding.ts'

type Checked = Pick<
  Config,
  | 'production'
  | 'databaseUrl'
  | 'secretsKeys'
  | 'gateway'
  | 'metrics'
  | 'host'
  | 'trustedProxies'
  | 'links'
  | 'mail'
  | 'services'
>

/** Judges settings that can be used, for a production installation. */
export function judgeSettings(config: Checked): Finding[] {
  const { production, databaseUrl, secretsKeys, gateway, metrics, links, mail } = config
  return [
    finding('NODE_ENV', production, 'production', 'Set NODE_ENV=production, which refuses settings for development.'),
    finding(
      'DATABASE_URL',
      databaseUrl !== null,
      'set',
      'Set DATABASE_URL. The embedded Postgres is for trying the service out.',
    ),
    finding(
      'SECRETS_KEYS',
      secretsKeys !== undefined,
      'set',
      'Set SECRETS_KEYS; without it webhooks are not signed and no mail can be sent. ' +
        `node -p "'1:' + crypto.randomBytes(32).toString('base64')" makes one.`,
    ),
    finding('GATEWAY', gateway !== 'simulator', gateway, 'simulator: no message reaches a real phone.', 'note'),
    finding(
      'METRICS_PORT',
      metrics !== null,
      `${metrics?.host}:${metrics?.port}`,
      'Set METRICS_PORT: without it a worker has no probes, and nothing can be watched.',
      'note',
    ),
    ...judgeEdge(config),
    finding(
      'PUBLIC_URL',
      links.publicUrl.startsWith('https://'),
      links.publicUrl,
      `Set PUBLIC_URL to the https address that people use. Links in mails begin with ${links.publicUrl} now.`,
      'note',
    ),
    finding(
      'SMTP_URL',
      mail.smtpUrl !== null,
      'set',
      'Without SMTP_URL no mail is sent: people cannot reset their passwords.',
      'note',
    ),
  ]
}

const loopback = ['127.0.0.1', '::1', 'localhost']

/** Judges what stands before the API: TLS ends in a proxy, whose header is believed only when it is listed. */
function judgeEdge({ services, host, trustedProxies }: Checked): Finding[] {
  if (!services.includes('api')) return []
  const isOpen = !loopback.includes(host)
  return [
    finding(
      'TRUSTED_PROXIES',
      trustedProxies.length > 0,
      trustedProxies.join(', '),
      isOpen
        ? `The API listens on ${host} without TLS and believes no proxy. Put a proxy before it and list its address.`
        : 'List the address of the proxy, or all clients share the limits of one address.',
      'note',
    ),
  ]
}
