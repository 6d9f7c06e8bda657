import type { AdminClient } from '@msgctl/client/admin'
import { notFound } from '../../errors/exit-codes.ts'

type Member = Awaited<ReturnType<AdminClient['team']['list']>>['members'][number]

/** Returns the member with this id, e-mail address or name. Throws a CliError when none or several match. */
export async function findMember(client: AdminClient, text: string): Promise<Member> {
  const { members } = await client.team.list()
  const exact = members.filter(({ id, email }) => id === text || email.toLowerCase() === text.toLowerCase())
  const found = exact.length > 0 ? exact : members.filter(({ name }) => name === text)
  const [member] = found
  if (member !== undefined && found.length === 1) return member
  throw notFound(
    found.length === 0 ? `No member matches ${text}.` : `${found.length} members match ${text}.`,
    'List the members with: msgctl team list',
  )
}
