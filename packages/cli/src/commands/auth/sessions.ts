import type { Context } from '../../context.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const columns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'organization.name', title: 'Organization' },
  { field: 'client', title: 'Program' },
  { field: 'ip', title: 'Address' },
  { field: 'lastUsedAt', title: 'Last used' },
  { field: 'current', title: 'Current' },
]

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
