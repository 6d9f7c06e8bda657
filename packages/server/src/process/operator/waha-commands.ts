import { openSecrets } from '@msgctl/network/secrets'
import { InvalidArgumentError, Option } from 'commander'
import { addHost, drainHost, type HostView, listHostViews, WahaRefusal } from '#networks/gateway/waha/manage.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Formats a WAHA server that was added, with advice about it. */
function hostAddedText({ host, advice }: { host: HostView; advice: readonly string[] }): string {
  const lines = [
    `Added ${host.url} (${host.engine} ${host.version}) for ${host.capacity} numbers. It has ${host.numbers}.`,
    ...(host.groups ? [] : ['Its numbers receive nothing of groups.']),
    ...advice,
  ]
  return `${lines.join('\n')}\n`
}

/** Formats WAHA servers, one per line. */
function hostsText(hosts: readonly HostView[]): string {
  if (hosts.length === 0) return 'There is no WAHA server yet. Add one with msgctl-server waha add.\n'
  return table([
    ['URL', 'ENGINE', 'VERSION', 'NUMBERS', 'STATE', 'LAST SEEN'],
    ...hosts.map(({ url, engine, version, capacity, numbers, draining, seenAt }) => [
      url,
      engine,
      version,
      `${numbers}/${capacity}`,
      draining ? 'draining' : 'in use',
      seenAt?.toISOString() ?? '-',
    ]),
  ])
}

/** Formats a WAHA server that takes no further numbers. */
function hostDrainedText({ url, numbers }: HostView): string {
  const stay = numbers === 1 ? 'Its 1 number stays' : `Its ${numbers} numbers stay`
  return `No further numbers are placed on ${url}. ${stay}: moving one means linking it again on another server.\n`
}

const keyVariable = 'WAHA_API_KEY'

/** Returns the operator's commands for WAHA servers: `msgctl-server waha ...`. */
export function wahaCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const waha = new OperatorCommand('waha', terminal).description(
    'manage the WAHA servers that numbers are linked through',
  )
  waha
    .command('add')
    .description(`add a server, or change its key and settings; the key comes from ${keyVariable} or standard input`)
    .argument('<url>', 'address of the server, like http://10.0.0.7:3000', parseUrl)
    .addOption(
      new Option('--capacity <numbers>', 'how many numbers it may have (a new server: 50)').argParser(
        argument.capacity,
      ),
    )
    .option('--groups', 'receive the messages of groups on this server, as a new server does')
    .option('--no-groups', 'drop the messages of groups on this server')
    .runs(
      async (
        { db, config: { secretsKeys } },
        url: string,
        { capacity, groups }: { capacity?: number; groups?: boolean },
      ) => {
        const key = await readKey(terminal)
        return refusing(() => addHost({ db, secrets: openSecrets(secretsKeys) }, { url, key, capacity, groups }))
      },
      hostAddedText,
    )
  waha
    .command('list')
    .description('list the servers')
    .runs(({ db }): Promise<HostView[]> => listHostViews(db), hostsText)
  waha
    .command('drain')
    .description('place no further numbers on a server; add it again to end this')
    .argument('<url>', 'address of the server', parseUrl)
    .runs(({ db }, url: string) => refusing(() => drainHost(db, url)), hostDrainedText)
  return waha
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof WahaRefusal ? new Refusal(error.message) : error
  }
}

/** Reads the key of a server. It is never an argument, which other programs of the machine could see. */
async function readKey(terminal: Terminal): Promise<string> {
  const key = (terminal.env[keyVariable] ?? (await terminal.readInput())).trim()
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  throw new Refusal(`The key of the server is missing. Set ${keyVariable}, or pipe the key into the command.`)
}

function parseUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an address like http://10.0.0.7:3000.')
  }
  const { username, search, hash, href } = new URL(text)
  if (username !== '' || search !== '' || hash !== '') {
    throw new InvalidArgumentError('It must be an address without a user name and without a query.')
  }
  return href.replace(/(?<!\/)\/+$/, '')
}
