import { setPlatformAdmin } from '#people/organizations/platform-admin.ts'
import { type Authenticator, turnOn } from '#testing/features/authenticator.ts'
import { makePerson, type Person } from '#testing/features/person.ts'
import type { TestServer } from '#testing/start-server.ts'

/** A person of the platform's staff, whose session made two steps. */
export interface Staff extends Person {
  readonly authenticator: Authenticator
}

/** Signs a person up with two steps, whose organization the operator makes one of the platform's staff. */
export async function makeStaff(server: TestServer, name = 'Grace'): Promise<Staff> {
  const person = await makePerson(server, name)
  const { authenticator } = await turnOn(person.client)
  await setPlatformAdmin(server.db, person.organizationId, true)
  return { ...person, authenticator }
}
