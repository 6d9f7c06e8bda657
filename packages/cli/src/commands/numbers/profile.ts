import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { mediaFields } from '../../input/media.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from './reference.ts'

const profileColumns = defineColumns('name, about, pictureUrl as Picture, id as Network id, containerId as Number')

interface ProfileOptions {
  readonly name?: string
  readonly about?: string
  readonly picture?: string
}

async function profile(context: Context, number: string | undefined, options: ProfileOptions): Promise<void> {
  const { name, about, picture } = options
  if (name?.trim() === '') throw usageFailure('--name must not be empty.')
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  const change = {
    ...(name !== undefined && { name }),
    ...(about !== undefined && { about }),
    ...(picture !== undefined && (await mediaFields(context, client, 'pictureUrl', picture))),
  }
  const shown =
    Object.keys(change).length === 0
      ? await client.numbers.profile(chosen)
      : await client.numbers.setProfile({ ...change, ...chosen })
  await context.print.record(shown, profileColumns)
}

/** `numbers profile`. */
export const profileVerb = verb(
  'profile [number]',
  'show or change the public profile of a number',
  profile,
  ['msgctl numbers profile support', 'msgctl numbers profile support --name "Front desk" --about "Open 9 to 5"'],
  (command) =>
    command
      .option('--name <name>', `new display name, up to ${limits.profile.name} characters`)
      .option('--about <text>', `new about text, up to ${limits.profile.about} characters`)
      .option('--picture <file>', 'new picture: a local file or a public link'),
)
