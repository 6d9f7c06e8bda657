import { Argument, type Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { recordColumns } from './list.ts'
import { findOrganization } from './reference.ts'

async function create(context: Context, name: string): Promise<void> {
  const session = await context.asPerson((client) => client.organization.create({ name }))
  context.keepSession(session)
  const { organization } = session.user
  await context.done({ ...organization }, `Founded ${name}. The next commands are for it.`)
}

async function switchTo(context: Context, text: string): Promise<void> {
  const session = await context.asPerson(async (client) => {
    const { id: organizationId } = await findOrganization(client, text)
    return client.auth.switchOrganization({ organizationId })
  })
  context.keepSession(session)
  const { organization, memberRole } = session.user
  await context.done({ ...organization, role: memberRole }, `Switched to ${organization.name} as ${memberRole}.`)
}

async function rename(context: Context, name: string): Promise<void> {
  const { organization } = await context.asPerson((client) => client.organization.update({ name }))
  await context.print.record(organization, recordColumns)
}

async function requireTwoFactor(context: Context, state: 'on' | 'off'): Promise<void> {
  const { organization } = await context.asPerson((client) =>
    client.organization.update({ requireTwoFactor: state === 'on' }),
  )
  await context.print.record(organization, recordColumns)
}

/** Adds `org create`, `org switch`, `org rename` and `org require-two-factor`. */
export function registerChange(org: Command, run: Run): void {
  addVerb(
    org,
    'create <name>',
    'found another organization and switch to it',
    "msgctl org create 'Second Shop'",
  ).action(run(create))
  addVerb(
    org,
    'switch <organization>',
    'switch to another of your organizations, by id or name',
    "msgctl org switch 'Second Shop'",
  ).action(run(switchTo))
  addVerb(org, 'rename <name>', 'rename the organization', "msgctl org rename 'Example Shop, Berlin'").action(
    run(rename),
  )
  addVerb(
    org,
    'require-two-factor',
    'require two-step sign-in of the members, or no longer',
    'msgctl org require-two-factor on',
  )
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .action(run(requireTwoFactor))
}
