import { type Product, products } from '@msgctl/contract'
import { Command, Option } from 'commander'
import { createOrganization } from '../organizations/create.ts'
import { grantProducts, revokeProducts } from '../organizations/products.ts'
import { showOrganization } from '../organizations/read.ts'
import { listOverviews } from '../organizations/read-store.ts'
import { setActive, setExtraNumbers } from '../organizations/settings.ts'
import { argument, instantOrDay, productList, productWords } from './arguments.ts'
import { memberCommands } from './member-commands.ts'
import { createdText, detailsText, listText, productsText } from './print.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface Json {
  readonly json?: boolean
}

interface CreateOptions extends Json {
  readonly name: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly products: Product[]
  readonly trial?: boolean
}

const listedUnlessTold = 100

/** The commands of the platform's operator about organizations and their members: `msgctl-server org ...`. */
export function organizationCommands(terminal: Terminal = ownTerminal): Command {
  const org = new Command('org')
    .description('organizations and their members, for the operator of the platform')
    .showHelpAfterError('Add --help for what it takes.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    // Typing that cannot be understood is told apart from what is not possible.
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
  looks(org, terminal)
  creation(org, terminal)
  productChanges(org, terminal)
  settings(org, terminal)
  memberCommands(org, terminal)
  return org
}

function creation(org: Command, terminal: Terminal): void {
  org
    .command('create')
    .description('create an organization with its owner and an account key, shown once')
    .requiredOption('--name <name>', 'name of the organization', argument.organizationName)
    .requiredOption('--owner-email <email>', 'e-mail address of its owner', argument.email)
    .requiredOption('--owner-name <name>', 'name of its owner', argument.personName)
    .addOption(
      new Option('--products <list>', 'products, with commas between them')
        .argParser(productList)
        .default([...products], 'all'),
    )
    .option('--trial', 'for the 7 days of the free trial only')
    .option('--json', 'for machines')
    .action(({ name, ownerEmail, ownerName, products, trial, json }: CreateOptions) =>
      runCommand(
        terminal,
        json,
        (db) =>
          createOrganization(db, {
            name,
            owner: { name: ownerName, email: ownerEmail },
            products,
            trial: trial ?? false,
          }),
        createdText,
      ),
    )
}

function looks(org: Command, terminal: Terminal): void {
  org
    .command('list')
    .description('list organizations, newest first')
    .addOption(new Option('--limit <rows>', 'rows at most').argParser(argument.listed).default(listedUnlessTold))
    .option('--json', 'for machines')
    .action(({ limit, json }: Json & { limit: number }) =>
      runCommand(terminal, json, (db) => listOverviews(db, limit), listText),
    )
  org
    .command('show')
    .description('show an organization with its products, members and numbers')
    .argument('<id>', 'its id', argument.id)
    .option('--json', 'for machines')
    .action((id: string, { json }: Json) => runCommand(terminal, json, (db) => showOrganization(db, id), detailsText))
}

function productChanges(org: Command, terminal: Terminal): void {
  const changes = [
    ['grant', 'grant products for good, which ends their trial', grantProducts],
    ['revoke', 'pause products; without any its numbers stop; nothing is deleted', revokeProducts],
  ] as const
  for (const [name, description, change] of changes) {
    org
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .argument('<products...>', products.join(', '), productWords)
      .option('--json', 'for machines')
      .action((id: string, words: Product[], { json }: Json) =>
        runCommand(terminal, json, (db) => change(db, id, words), productsText),
      )
  }
}

function settings(org: Command, terminal: Terminal): void {
  const states = [
    ['deactivate', 'shut an organization out: every call answers ACCOUNT_DEACTIVATED, its numbers stop', false],
    ['activate', 'let a deactivated organization in again', true],
  ] as const
  for (const [name, description, active] of states) {
    org
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .option('--json', 'for machines')
      .action((id: string, { json }: Json) =>
        runCommand(
          terminal,
          json,
          async (db) => {
            await setActive(db, id, active)
            return { organizationId: id, active }
          },
          () =>
            active
              ? 'The organization is active. Its numbers can be started again.\n'
              : 'The organization is deactivated.\n',
        ),
      )
  }
  org
    .command('extra-numbers')
    .description('set how many numbers were bought on top of the included ones')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<count>', 'how many; 0 for none', argument.extraNumbers)
    .addOption(new Option('--until <date>', 'the last day, or an instant; for good without it').argParser(instantOrDay))
    .option('--json', 'for machines')
    .action((id: string, extra: number, { until = null, json }: Json & { until?: Date | null }) =>
      runCommand(
        terminal,
        json,
        async (db) => {
          await setExtraNumbers(db, id, extra, until)
          return { organizationId: id, extraNumbers: extra, extraExpiresAt: until }
        },
        () => `Extra numbers: ${extra}${until ? ` until ${until.toISOString()}` : ''}.\n`,
      ),
    )
}
