import type { AdminClient } from '@msgctl/client/admin'
import { notFound } from '../../errors/exit-codes.ts'

type Own = Awaited<ReturnType<AdminClient['organization']['list']>>['organizations'][number]

/** Returns the own organization with this id or name. Throws a CliError when none or several match. */
export async function findOrganization(client: AdminClient, text: string): Promise<Own> {
  const { organizations } = await client.organization.list()
  const found = organizations.filter(({ id, name }) => id === text || name === text)
  const [one] = found
  if (one !== undefined && found.length === 1) return one
  const problem = found.length === 0 ? `You are in no organization ${text}.` : `${found.length} organizations match.`
  throw notFound(problem, 'List your organizations with: msgctl org list')
}
