import { setPlatformAdmin } from '#people/organizations/platform-admin.ts'
import { listPlatformAdmins, type PlatformAdmin } from '#people/organizations/platform-admin-store.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { sanitize, table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

function listedText(organizations: readonly PlatformAdmin[]): string {
  if (organizations.length === 0) return 'No organization administers the platform. See msgctl-server admin add.\n'
  const lines = organizations.flatMap(({ organizationId, name, staff }) =>
    staff.map(({ email, twoSteps }) => [organizationId, name, email, twoSteps ? 'on' : 'off']),
  )
  return table([['ID', 'NAME', 'STAFF', 'TWO STEPS'], ...lines])
}

/** Returns the operator's commands for the staff of the platform: `msgctl-server admin ...`. */
export function adminCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const admin = new OperatorCommand('admin', terminal).description('choose who administers the platform')
  const changes = [
    ['add', 'make owners and admins of an organization the staff of the platform', true],
    ['remove', 'end that an organization administers the platform', false],
  ] as const
  for (const [name, description, isAdmin] of changes) {
    admin
      .command(name)
      .description(description)
      .argument('<id>', 'id of the organization', argument.id)
      .runs(
        async ({ db }, organizationId: string) => ({
          organizationId,
          ...(await setPlatformAdmin(db, organizationId, isAdmin)),
          platformAdmin: isAdmin,
        }),
        ({ name: organization }) =>
          isAdmin
            ? `${sanitize(organization)} administers the platform. Its owners and admins need two steps for it.\n`
            : `${sanitize(organization)} does not administer the platform any more.\n`,
      )
  }
  admin
    .command('list')
    .description('list the organizations that administer the platform, with their staff')
    .runs(({ db }) => listPlatformAdmins(db), listedText)
  return admin
}
