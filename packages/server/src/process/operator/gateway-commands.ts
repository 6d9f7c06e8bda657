import { maskProxy, parseProxy, proxyLocation } from '@msgctl/network/proxy-address'
import { openSecrets, type Secrets } from '@msgctl/network/secrets'
import {
  listGatewayHosts,
  listProxies,
  prepareRestoredNumbers,
  writeProxy,
} from '#networks/gateway/direct/operator-store.ts'
import { listRetiredLinks, type RetiredLink, restoreLink } from '#networks/gateway/direct/retired-link-store.ts'
import { fetchAndStore, findWebVersion, type WebVersion } from '#networks/gateway/direct/web-version.ts'
import { writeWebVersion } from '#networks/gateway/direct/web-version-store.ts'
import { findOwner } from '#numbers/guard/limits-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import type { Config } from '#process/config.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import {
  gatewayHostsText,
  linksText,
  proxiesText,
  proxyText,
  restoredLinkText,
  restoredText,
  type ShownHost,
  type ShownProxy,
  webVersionText,
} from './print-gateway.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

const proxyVariable = 'GATEWAY_PROXY'

/** Returns the operator's commands for gateway hosts and their numbers: `msgctl-server gateway ...`. */
export function gatewayCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const gateway = new OperatorCommand('gateway', terminal).description(
    'manage gateway hosts and the numbers that they connect',
  )
  gateway
    .command('hosts')
    .description('list the hosts with their numbers')
    .runs(({ db }) => showHosts(db), gatewayHostsText)
  gateway
    .command('after-restore')
    .description('prepare the numbers of a restored backup, before a gateway host is started')
    .runs(async ({ db }) => ({ numbers: await prepareRestoredNumbers(db) }), restoredText)
  gateway
    .command('web-version')
    .description('show the version that hosts claim to be, fetch the present one, or set one')
    .option('--fetch', 'fetch the present version from the network, through no proxy')
    .option('--set <version>', 'use this version until the next one is fetched', argument.webVersion)
    .runs(({ db, config }, change: VersionChange) => changeWebVersion(db, config, change), webVersionText)
  addLinkCommands(gateway.command('link').description('show and restore links that the network ended'))
  addProxyCommands(gateway.command('proxy').description('show and change the proxies of numbers'))
  return gateway
}

function addLinkCommands(link: OperatorCommand): void {
  link
    .command('list')
    .description('list the links that the network ended within 30 days')
    .runs(({ db }) => listRetiredLinks(db), linksText)
  link
    .command('restore')
    .description('connect a number with the link that the network ended, if that was a mistake')
    .argument('<number>', 'containerId of the number', argument.numberId)
    .runs(({ db }, id: string) => restoreRetired(db, id), restoredLinkText)
}

/** Restores the link of a number. Throws a {@link Refusal} when there is none, or the number is linked again. */
async function restoreRetired(db: Db, containerId: string): Promise<RetiredLink> {
  const [link] = await listRetiredLinks(db, containerId)
  if (!link) {
    throw new Refusal('No ended link of this number is kept. msgctl-server gateway link list shows those that are.')
  }
  if (link.isLinked || !(await restoreLink(db, link))) {
    throw new Refusal('The number is linked to a phone again, so its former link stays as it is.')
  }
  return link
}

function addProxyCommands(proxy: OperatorCommand): void {
  proxy
    .command('list')
    .description('list the numbers that connect through a proxy, without passwords')
    .runs(({ db, config: { secretsKeys } }) => showProxies(db, openSecrets(secretsKeys)), proxiesText)
  proxy
    .command('set')
    .description(`connect a number through a proxy; its address comes from ${proxyVariable} or standard input`)
    .argument('<number>', 'containerId of the number', argument.numberId)
    .runs(
      async ({ db, config: { secretsKeys }, terminal }, id: string) =>
        changeProxy(db, openSecrets(secretsKeys), id, await readProxy(terminal)),
      proxyText,
    )
  proxy
    .command('remove')
    .description('connect a number without a proxy')
    .argument('<number>', 'containerId of the number', argument.numberId)
    .runs(
      ({ db, config: { secretsKeys } }, id: string) => changeProxy(db, openSecrets(secretsKeys), id, null),
      proxyText,
    )
}

interface VersionChange {
  readonly fetch?: boolean
  readonly set?: string
}

/** Returns the hosts with the version that each of them claims to be. */
async function showHosts(db: Db): Promise<ShownHost[]> {
  const { version } = await findWebVersion(db)
  const hosts = await listGatewayHosts(db)
  return hosts.map(({ fixedWebVersion, ...host }) => {
    return { ...host, webVersion: fixedWebVersion ?? version, isWebVersionFixed: fixedWebVersion !== null }
  })
}

async function changeWebVersion(db: Db, config: Config, { fetch, set }: VersionChange): Promise<WebVersion> {
  if (fetch && set !== undefined) throw new Refusal('Use --fetch or --set, not both.')
  if (set !== undefined) await writeWebVersion(db, set, 'set')
  if (fetch) {
    const fault = await fetchAndStore(db, config.gatewayWebVersionUrl)
    if (fault !== null) {
      throw new Refusal(`The version was not fetched: ${fault}. Let this machine reach it, or use --set.`)
    }
  }
  return findWebVersion(db)
}

async function showProxies(db: Db, secrets: Secrets): Promise<ShownProxy[]> {
  const found = await listProxies(db)
  return found.map(({ containerId, sealedProxy }) => {
    return { containerId, proxy: show(secrets, containerId, sealedProxy) }
  })
}

function show(secrets: Secrets, containerId: string, sealed: string): string {
  try {
    return maskProxy(secrets.decrypt(sealed, proxyLocation(containerId)))
  } catch {
    return '(cannot be decrypted with SECRETS_KEYS)'
  }
}

async function changeProxy(db: Db, secrets: Secrets, containerId: string, proxy: string | null): Promise<ShownProxy> {
  const owner = await findOwner(db, containerId)
  if (!owner) throw new Refusal('There is no such number. msgctl-server org show lists them.')
  if (owner.gateway !== 'direct') {
    throw new Refusal(`The number is connected by ${owner.gateway}, not by a gateway host. Set the proxy there.`)
  }
  if (proxy !== null && !secrets.available) {
    throw new Refusal('SECRETS_KEYS is not set. The address of a proxy is stored encrypted.')
  }
  const sealed = proxy === null ? null : secrets.encrypt(proxy, proxyLocation(containerId))
  await writeProxy(db, { containerId, organizationId: owner.organizationId }, sealed)
  return { containerId, proxy: proxy === null ? null : maskProxy(proxy) }
}

/** Reads the address of a proxy. It may have a password, so it is never an argument, which other programs could see. */
async function readProxy(terminal: Terminal): Promise<string> {
  const proxy = parseProxy(terminal.env[proxyVariable] ?? (await terminal.readInput()))
  if (proxy !== null) return proxy
  throw new Refusal(
    `The address of the proxy is missing or wrong. Set ${proxyVariable}, or pipe it into the command, like ` +
      'socks5://name:password@10.0.0.5:1080.',
  )
}
