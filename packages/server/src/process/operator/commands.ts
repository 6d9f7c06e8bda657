import { type Product, products } from '@msgctl/contract'
import { Option } from 'commander'
import { createOrganization } from '#people/organizations/create.ts'
import { grantProducts, revokeProducts } from '#people/organizations/products.ts'
import { showOrganization } from '#people/organizations/read.ts'
import { findOwnedByName, listOverviews } from '#people/organizations/read-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { setActive, setExtraNumbers } from '#people/organizations/settings.ts'
import type { Db } from '#platform/db/db.ts'
import { addProduct, argument, instantOrDay, parseProductList } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { addDeletionCommands } from './deletion-commands.ts'
import { addMemberCommands } from './member-commands.ts'
import { addMoveCommands } from './move-commands.ts'
import { createdText, detailsText, listText, productsText } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface CreateOptions {
  readonly name: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly products: Product[]
  readonly trial?: boolean
  readonly yes?: boolean
}

const defaultLimit = 100

/** Returns the operator's commands for organizations and their members: `msgctl-server org ...`. */
export function organizationCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const org = new OperatorCommand('org', terminal).description('manage organizations and their members')
  addReadCommands(org)
  addCreateCommand(org)
  addProductCommands(org)
  addStateCommands(org)
  addExtraNumbersCommand(org)
  addMemberCommands(org)
  addDeletionCommands(org)
  addMoveCommands(org)
  return org
}

function addCreateCommand(org: OperatorCommand): void {
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
    .runs(async ({ db }, { name, ownerEmail, ownerName, products, trial, yes }: CreateOptions) => {
      if (!yes) await requireNewName(db, ownerEmail, name)
      const owner = { name: ownerName, email: ownerEmail }
      return createOrganization(db, { name, owner, products, trial: trial ?? false })
    }, createdText)
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

function addReadCommands(org: OperatorCommand): void {
  org
    .command('list')
    .description('list organizations, newest first')
    .addOption(new Option('--limit <rows>', 'maximum number of rows').argParser(argument.listed).default(defaultLimit))
    .runs(({ db }, { limit }: { limit: number }) => listOverviews(db, limit), listText)
  org
    .command('show')
    .description('show an organization with its products, members and numbers')
    .argument('<id>', 'id of the organization', argument.id)
    .runs(({ db }, id: string) => showOrganization(db, id), detailsText)
}

function addProductCommands(org: OperatorCommand): void {
  org
    .command('grant')
    .description('grant products for good, which ends their trial')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<products...>', products.join(', '), addProduct)
    .runs(({ db }, id: string, granted: Product[]) => grantProducts(db, id, granted), productsText)
  org
    .command('revoke')
    .description('pause products and delete nothing; without any product the numbers stop')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<products...>', products.join(', '), addProduct)
    .runs(({ db }, id: string, revoked: Product[]) => revokeProducts(db, id, revoked), productsText)
}

function addStateCommands(org: OperatorCommand): void {
  const states = [
    ['deactivate', 'refuse every call of an organization with ACCOUNT_DEACTIVATED and stop its numbers', false],
    ['activate', 'activate a deactivated organization', true],
  ] as const
  for (const [name, description, active] of states) {
    org
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .runs(
        async ({ db }, id: string) => {
          await setActive(db, id, active)
          return { organizationId: id, active }
        },
        () =>
          active
            ? 'The organization is active. Its numbers can be started again.\n'
            : 'The organization is deactivated.\n',
      )
  }
}

function addExtraNumbersCommand(org: OperatorCommand): void {
  org
    .command('extra-numbers')
    .description('set how many numbers the organization bought beyond the included ones')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<count>', 'number of extra numbers, 0 for none', argument.extraNumbers)
    .addOption(new Option('--until <date>', 'last day, or an instant (default: no end)').argParser(instantOrDay))
    .runs(
      async ({ db }, id: string, extra: number, { until = null }: { until?: Date | null }) => {
        await setExtraNumbers(db, id, extra, until)
        return { organizationId: id, extraNumbers: extra, extraExpiresAt: until }
      },
      ({ extraNumbers, extraExpiresAt: until }) =>
        `Extra numbers: ${extraNumbers}${until ? ` until ${until.toISOString()}` : ''}.\n`,
    )
}
