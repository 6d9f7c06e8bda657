import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

type GivenRole = 'admin' | 'member'

const columns = defineColumns('id, email as E-mail, role, expiresAt as Expires, link')

interface Invited {
  readonly invitation: object
  readonly link?: string | undefined
}

async function printInvited(context: Context, { invitation, link }: Invited): Promise<void> {
  await context.print.record({ ...invitation, ...(link !== undefined && { link }) }, columns)
  context.note(
    link === undefined
      ? 'The invitation was mailed.'
      : 'The service sends no mail. Hand the link over; it is shown once.',
  )
}

async function invite(context: Context, email: string, { role }: { role: GivenRole }): Promise<void> {
  await printInvited(context, await context.asPerson((client) => client.team.invite({ email, role })))
}

/** Resolves an open invitation by id, or by the beginning of its id. Throws a CliError when none or several match. */
function resolveInvitationId(context: Context, reference: string): Promise<string> {
  return resolveId(reference, {
    list: () => listedBy(async () => (await context.asPerson((client) => client.team.list())).invitations),
    plural: 'invitations',
    command: 'msgctl team invitations',
  })
}

async function resend(context: Context, reference: string): Promise<void> {
  const invitationId = await resolveInvitationId(context, reference)
  await printInvited(context, await context.asPerson((client) => client.team.resendInvitation({ invitationId })))
}

async function cancel(context: Context, reference: string): Promise<void> {
  const invitationId = await resolveInvitationId(context, reference)
  await context.asPerson((client) => client.team.cancelInvitation({ invitationId }))
  await context.done({ id: invitationId, cancelled: true }, 'The invitation is cancelled.')
}

/** `team invite`, `team resend` and `team cancel`. */
export const inviteVerbs = verbs(
  verb(
    'invite <email>',
    'invite a person by mail, for 7 days',
    invite,
    ['msgctl team invite max@example.com', 'msgctl team invite max@example.com --role admin'],
    (command) =>
      command.addOption(
        new Option('--role <role>', 'role of the person').choices(['admin', 'member']).default('member'),
      ),
  ),
  verb('resend <invitation>', 'mail an invitation again with a new link', resend, [
    'msgctl team resend 0190b1a1-0c2d-7b3e-8f44-5a6b7c8d9e0f',
  ]),
  verb('cancel <invitation>', 'cancel an open invitation', cancel, [
    'msgctl team cancel 0190b1a1-0c2d-7b3e-8f44-5a6b7c8d9e0f',
  ]),
)
