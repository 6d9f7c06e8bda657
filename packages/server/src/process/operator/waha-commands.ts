import { openSecrets } from '@msgctl/network/secrets'
import { Command, InvalidArgumentError, Option } from 'commander'
import { addHost, drainHost, type HostView, listHostViews, WahaRefusal } from '#networks/gateway/waha/manage.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { argument } from './arguments.ts'
import { hostAddedText, hostDrainedText, hostsText } from './print-waha.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface Json {
  readonly json?: boolean
}

const keyVariable = 'WAHA_API_KEY'

/** Returns the operator's commands for WAHA servers: `msgctl-server waha ...`. */
export function wahaCommands(terminal: Terminal = ownTerminal): Command {
  const waha = new Command('waha')
    .description('manage the WAHA servers that numbers are linked through')
    .showHelpAfterError('Add --help to see the arguments.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
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
    .option('--json', 'print JSON')
    .action((url: string, { capacity, groups, json }: Json & { capacity?: number; groups?: boolean }) =>
      runCommand(
        terminal,
        json,
        async (db, { secretsKeys }) => {
          const key = await readKey(terminal)
          return refusing(() => addHost({ db, secrets: openSecrets(secretsKeys) }, { url, key, capacity, groups }))
        },
        hostAddedText,
      ),
    )
  waha
    .command('list')
    .description('list the servers')
    .option('--json', 'print JSON')
    .action(({ json }: Json) => runCommand(terminal, json, (db): Promise<HostView[]> => listHostViews(db), hostsText))
  waha
    .command('drain')
    .description('place no further numbers on a server; add it again to end this')
    .argument('<url>', 'address of the server', parseUrl)
    .option('--json', 'print JSON')
    .action((url: string, { json }: Json) =>
      runCommand(terminal, json, (db) => refusing(() => drainHost(db, url)), hostDrainedText),
    )
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
