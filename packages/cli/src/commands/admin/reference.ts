import type { AdminClient } from '@msgctl/client/admin'
import { isId, requireOne, resolveId } from '../../input/id-prefix.ts'

const pageSize = 100

/**
 * Resolves an organization of the service by its id, the beginning of it, its name or the e-mail of its owner. Throws
 * a CliError when none or several match.
 */
export async function resolveOrganizationId(client: AdminClient, reference: string): Promise<string> {
  if (isId(reference)) return reference.toLowerCase()
  if (/^[0-9a-f]{8}[0-9a-f-]*$/i.test(reference)) {
    return resolveId(reference, {
      list: () => client.platform.organizations.all({ limit: pageSize }),
      plural: 'organizations',
      command: 'msgctl admin organizations list',
    })
  }
  const typed = reference.toLowerCase()
  const found = []
  for await (const one of client.platform.organizations.all({ search: reference, limit: pageSize })) {
    if (one.name.toLowerCase() === typed || one.owner?.email.toLowerCase() === typed) found.push(one)
  }
  const names = { one: 'Organization', plural: 'organizations', noun: 'admin organizations' }
  return requireOne(found, reference, names).id
}
