import { limits } from '@msgctl/contract'
import { openSecrets } from '@msgctl/network/secrets'
import { restoreOrganization, setProtected } from '#people/organizations/deletion.ts'
import { deleteByOperator, requireDeletable } from '#people/team/delete-by-operator.ts'
import { selectMailer } from '#platform/mail/mailer.ts'
import { type ErasedContact, eraseContact } from '#upkeep/erasure/erase-contact.ts'
import { argument } from './arguments.ts'
import type { OperatorCommand } from './command.ts'
import { confirmByName } from './confirm.ts'

/** Adds `org delete`, `org protect`, `org unprotect`, `org restore` and `org erase-contact`. */
export function addDeletionCommands(org: OperatorCommand): void {
  addDelete(org)
  const states = [
    ['protect', 'refuse the deletion of an organization by its owner', true],
    ['unprotect', 'allow the deletion of an organization again', false],
  ] as const
  for (const [name, description, isProtected] of states) {
    org
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .runs(
        async ({ db }, id: string) => {
          await setProtected(db, id, isProtected)
          return { organizationId: id, protected: isProtected }
        },
        () => `The organization ${isProtected ? 'cannot' : 'can'} be deleted by its owner.\n`,
      )
  }
  org
    .command('restore')
    .description('restore an organization that its owner deleted less than 7 days ago')
    .argument('<id>', 'id of the organization', argument.id)
    .option('--owner <email>', 'the new owner, when the last one deleted their account', argument.email)
    .runs(
      async ({ db }, id: string, { owner = null }: { owner?: string | null }) => {
        await restoreOrganization(db, id, owner)
        return { organizationId: id, restored: true }
      },
      () => 'The organization is restored. Its members can sign in; keys and links of numbers have to be made again.\n',
    )
  org
    .command('erase-contact')
    .description('erase what an organization stores of one person it has written with')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<phone>', 'phone of the person, international', argument.phone)
    .runs(({ db }, id: string, phone: string) => eraseContact(db, id, phone), erasedText)
}

function addDelete(org: OperatorCommand): void {
  org
    .command('delete')
    .description(`delete an organization; org restore takes that back within ${limits.erasureDays} days`)
    .argument('<id>', 'id of the organization', argument.id)
    .option('-y, --yes', 'do not ask for the name of the organization')
    .runs(
      async ({ db, config, terminal }, id: string, { yes }: { yes?: boolean }) => {
        const { name } = await requireDeletable(db, id)
        const { erasureDays: days } = limits
        const effect = `Its keys and sessions end, its numbers stop, and its data is erased in ${days} days.`
        await confirmByName(terminal, { effect, name, yes })
        const secrets = openSecrets(config.secretsKeys)
        await deleteByOperator(db, { mailer: selectMailer(config, secrets), secrets, config }, id)
        return { organizationId: id, deleted: true, keptDays: limits.erasureDays }
      },
      ({ keptDays }) =>
        `The organization is deleted. Its data is erased in ${keptDays} days; until then msgctl-server org restore ` +
        'takes that back.\n',
    )
}

function erasedText({ rows, optOutKept }: ErasedContact): string {
  const found = Object.entries(rows).filter(([, count]) => count > 0)
  const counts = found.map(([table, count]) => `${table}: ${count}\n`).join('')
  const kept = optOutKept ? 'The phone stays in the list of those who opted out.\n' : ''
  return (
    `${counts === '' ? 'Nothing was stored.\n' : counts}${kept}Events and logs that name the person end by their ` +
    `retention, backups when you delete them.\n`
  )
}
