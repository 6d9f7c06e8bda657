import { type Product, products } from '@msgctl/contract'
import { Command, Option } from 'commander'
import { createOrganization } from '#people/organizations/create.ts'
import { grantProducts, revokeProducts } from '#people/organizations/products.ts'
import { showOrganization } from '#people/organizations/read.ts'
import { findOwnedByName, listOverviews } from '#people/organizations/read-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { setActive, setExtraNumbers } from '#people/organizations/settings.ts'
import type { Db } from '#platform/db/db.ts'
import { addProduct, argument, instantOrDay, parseProductList } from './arguments.ts'
import { addDeletionCommands } from './deletion-commands.ts'
import { addMemberCommands } from './member-commands.ts'
import { addMoveCommands } from './move-commands.ts'
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
  readonly yes?: boolean
}

const defaultLimit = 100

/** Returns the operator's commands for organizations and their members: `msgctl-server org ...`. */
export function organizationCommands(terminal: Terminal = ownTerminal): Command {
  const org = new Command('org')
    .description('manage organizations and their members')
    .showHelpAfterError('Add --help to see the arguments.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    // Wrong arguments exit with 2, changes that are not possible with 1.
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
  addReadCommands(org, terminal)
  addCreateCommand(org, terminal)
  addProductCommands(org, terminal)
  addStateCommands(org, terminal)
  addExtraNumbersCommand(org, terminal)
  addMemberCommands(org, terminal)
  addDeletionCommands(org, terminal)
  addMoveCommands(org, terminal)
  return org
}

function addCreateCommand(org: Command, terminal: Terminal): void {
  org
    .command('create')
    .description('create an organization with its owner and an account key')
    .requiredOption('--name <name>', 'name of the organization', argument.organizationName)
    .requiredOption('--owner-email <email>', 'e-mail address of the owner', argument.email)
    .requiredOption('--owner-name <name>', 'name of the owner', argument.personName)
    .addOption(
      new Option('--products <list>', 'comma-separated products')
        .argParser(parseProductList)
        .default([...products], products.join(',')),
    )
    .option('-y, --yes', 'also create it when the owner has one of this name')
    .option('--trial', 'start the 7-day trial instead of granting the products')
    .option('--json', 'print JSON')
    .action(({ name, ownerEmail, ownerName, products, trial, yes, json }: CreateOptions) =>
      runCommand(
        terminal,
        json,
        async (db) => {
          if (!yes) await requireNewName(db, ownerEmail, name)
          const owner = { name: ownerName, email: ownerEmail }
          return createOrganization(db, { name, owner, products, trial: trial ?? false })
        },
        createdText,
      ),
    )
}

/** Throws {@link Refusal} when the person owns an organization of this name: the command was typed twice. */
async function requireNewName(db: Db, ownerEmail: string, name: string): Promise<void> {
  const id = await findOwnedByName(db, ownerEmail, name)
  if (id === undefined) return
  throw new Refusal(
    `${ownerEmail} owns an organization of this name already: ${id}. See msgctl-server org show ${id}, ` +
      'or add --yes to create another one.',
  )
}

function addReadCommands(org: Command, terminal: Terminal): void {
  org
    .command('list')
    .description('list organizations, newest first')
    .addOption(new Option('--limit <rows>', 'maximum number of rows').argParser(argument.listed).default(defaultLimit))
    .option('--json', 'print JSON')
    .action(({ limit, json }: Json & { limit: number }) =>
      runCommand(terminal, json, (db) => listOverviews(db, limit), listText),
    )
  org
    .command('show')
    .description('show an organization with its products, members and numbers')
    .argument('<id>', 'id of the organization', argument.id)
    .option('--json', 'print JSON')
    .action((id: string, { json }: Json) => runCommand(terminal, json, (db) => showOrganization(db, id), detailsText))
}

function addProductCommands(org: Command, terminal: Terminal): void {
  org
    .command('grant')
    .description('grant products for good, which ends their trial')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<products...>', products.join(', '), addProduct)
    .option('--json', 'print JSON')
    .action((id: string, granted: Product[], { json }: Json) =>
      runCommand(terminal, json, (db) => grantProducts(db, id, granted), productsText),
    )
  org
    .command('revoke')
    .description('pause products and delete nothing; without any product the numbers stop')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<products...>', products.join(', '), addProduct)
    .option('--json', 'print JSON')
    .action((id: string, revoked: Product[], { json }: Json) =>
      runCommand(terminal, json, (db) => revokeProducts(db, id, revoked), productsText),
    )
}

function addStateCommands(org: Command, terminal: Terminal): void {
  const states = [
    ['deactivate', 'refuse every call of an organization with ACCOUNT_DEACTIVATED and stop its numbers', false],
    ['activate', 'activate a deactivated organization', true],
  ] as const
  for (const [name, description, active] of states) {
    org
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .option('--json', 'print JSON')
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
}

function addExtraNumbersCommand(org: Command, terminal: Terminal): void {
  org
    .command('extra-numbers')
    .description('set how many numbers the organization bought beyond the included ones')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<count>', 'number of extra numbers, 0 for none', argument.extraNumbers)
    .addOption(new Option('--until <date>', 'last day, or an instant (default: no end)').argParser(instantOrDay))
    .option('--json', 'print JSON')
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
