import { Argument } from 'commander'
import type { Context } from '../../context.ts'
import { verb, verbs } from '../../program.ts'
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

async function changeCountry(context: Context, text: string): Promise<void> {
  const country = text === 'none' ? null : text
  const { organization } = await context.asPerson((client) => client.organization.update({ country }))
  await context.print.record(organization, recordColumns)
}

async function requireTwoFactor(context: Context, state: 'on' | 'off'): Promise<void> {
  const { organization } = await context.asPerson((client) =>
    client.organization.update({ requireTwoFactor: state === 'on' }),
  )
  await context.print.record(organization, recordColumns)
}

/** `org create`, `org switch`, `org rename`, `org country` and `org require-two-factor`. */
export const changeVerbs = verbs(
  verb('create <name>', 'found another organization and switch to it', create, ["msgctl org create 'Second Shop'"]),
  verb('switch <organization>', 'switch to another of your organizations, by id or name', switchTo, [
    "msgctl org switch 'Second Shop'",
  ]),
  verb('rename <name>', 'rename the organization', rename, ["msgctl org rename 'Example Shop, Berlin'"]),
  verb('country <code>', 'set the country, which decides the currency; none removes it', changeCountry, [
    'msgctl org country DE',
    'msgctl org country none',
  ]),
  verb(
    'require-two-factor',
    'require two-step sign-in of the members, or no longer',
    requireTwoFactor,
    ['msgctl org require-two-factor on'],
    (command) => command.addArgument(new Argument('<state>', 'on or off').choices(['on', 'off'])),
  ),
)
