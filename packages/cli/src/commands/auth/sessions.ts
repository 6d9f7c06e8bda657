import type { Context } from '../../context.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const columns = defineColumns(
  'id, organization.name as Organization, client as Program, ip as Address, lastUsedAt as Last used, current',
)

const endedColumns: readonly Column[] = [{ field: 'ended', title: 'Sessions ended' }]

async function sessions(context: Context): Promise<void> {
  const { sessions: rows } = await context.asPerson((client) => client.auth.sessions())
  await context.print.list(rows, columns)
}

async function end(context: Context, reference: string | undefined): Promise<void> {
  const sessionId =
    reference &&
    (await resolveId(reference, {
      list: () => listedBy(async () => (await context.asPerson((client) => client.auth.sessions())).sessions),
      plural: 'sessions',
      command: 'msgctl auth sessions',
    }))
  await context.confirm(
    sessionId === undefined ? 'End all your other sessions and your AI connections?' : `End the session ${sessionId}?`,
  )
  const { ended } = await context.asPerson((client) =>
    sessionId === undefined ? client.auth.endSessions() : client.auth.endSession({ sessionId }),
  )
  await context.print.record({ ended }, endedColumns)
}

/** `auth sessions` and `auth end`. */
export const sessionsVerbs = verbs(
  verb('sessions', 'list your sessions', sessions, ['msgctl auth sessions', 'msgctl auth sessions --json']),
  verb('end [session]', 'end one of your sessions, or all but the current one and your AI connections', end, [
    'msgctl auth end 0190b1a1-0c2d-7b3e-8f44-5a6b7c8d9e0f',
    'msgctl auth end --yes',
  ]),
)
