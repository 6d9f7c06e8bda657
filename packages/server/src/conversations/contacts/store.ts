import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** The row of a contact. */
export interface ContactRow
  extends Pick<Row<'contacts'>, 'id' | 'savedName' | 'networkName' | 'phone' | 'lid' | 'optedOut'> {
  readonly saved: boolean
}

/** The contacts of an organization, or those that one of its numbers knows. */
export interface ContactScope {
  readonly organizationId: string
  readonly containerId: string | null
}

/** SQL: whether contact `c` is saved. The address book of a number that was removed does not make it so. */
const isSaved = 'c.saved_in && array(select n.id from numbers n where n.organization_id = :organizationId)'
/** SQL: the fields of contact `c`. */
export const contactColumns = `
  c.id, c.saved_name, c.network_name, c.phone, c.lid,
  ${isSaved} as saved, c.opted_out`
/** SQL: whether contact `c` is in a scope. */
export const inScope =
  'c.organization_id = :organizationId and (:containerId::uuid is null or :containerId::uuid = any(c.known_to))'

/** What to search for, and the page. */
interface ContactSearch {
  readonly name: string
  readonly number: string
  readonly limit: number
  readonly offset: number
}

const byName = `order by c.saved_in = '{}', coalesce(c.saved_name, c.network_name) nulls last, c.phone, c.id
  limit :limit offset :offset`
const matches = '(c.search_text like lower(:name) or c.search_text like :number)'

/** Returns contacts whose name or number contains a search part: the saved ones first, by name. */
export async function searchContacts(db: Db, scope: ContactScope, search: ContactSearch): Promise<ContactRow[]> {
  return rows<ContactRow>(db, `select ${contactColumns} from contacts c where ${inScope} and ${matches} ${byName}`, {
    ...scope,
    ...search,
    name: contains(search.name),
    number: contains(search.number),
  })
}

/** Counts the contacts whose name or number contains a search part. */
export async function countMatching(
  db: Db,
  scope: ContactScope,
  { name, number }: Pick<ContactSearch, 'name' | 'number'>,
): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from contacts c where ${inScope} and ${matches}`,
    { ...scope, name: contains(name), number: contains(number) },
  )
  return counted?.count ?? 0
}

/** Which contacts; null for both kinds. */
export interface ContactKind {
  readonly saved: boolean | null
  readonly optedOut: boolean | null
}

const everyKind: ContactKind = { saved: null, optedOut: null }
const ofKind = `(:saved::boolean is null or (${isSaved}) = :saved)
  and (:optedOut::boolean is null or c.opted_out = :optedOut)`

/** Returns a page of the contacts of a kind: the saved ones first, by name. */
export async function listContacts(
  db: Db,
  scope: ContactScope,
  kind: ContactKind,
  page: Pick<ContactSearch, 'limit' | 'offset'>,
): Promise<ContactRow[]> {
  return rows<ContactRow>(db, `select ${contactColumns} from contacts c where ${inScope} and ${ofKind} ${byName}`, {
    ...scope,
    ...kind,
    ...page,
  })
}

/** Returns the LIKE pattern of a text that contains `part`. */
export function contains(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}

/** Counts the contacts of a scope (default: of both kinds). */
export async function countContacts(db: Db, scope: ContactScope, kind: ContactKind = everyKind): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) from contacts c where ${inScope} and ${ofKind}`,
    { ...scope, ...kind },
  )
  return counted?.count ?? 0
}

/** Returns the contact with these digits or this hidden id. */
export async function findPerson(db: Db, organizationId: string, address: string): Promise<ContactRow | undefined> {
  return firstRow<ContactRow>(
    db,
    address.endsWith('@lid')
      ? `select ${contactColumns} from contacts c where c.organization_id = :organizationId and c.lid = :address`
      : `select ${contactColumns} from contacts c where c.organization_id = :organizationId and c.phone = :address`,
    { organizationId, address },
  )
}

/** Opts a contact out or in. Returns undefined if the scope has no such contact. */
export async function writeOptedOut(
  db: Db,
  scope: ContactScope,
  id: string,
  optedOut: boolean,
): Promise<ContactRow | undefined> {
  return firstRow<ContactRow>(
    db,
    `update contacts c set opted_out = :optedOut, opted_at = (select service_now())
      where ${inScope} and c.id = :id returning ${contactColumns}`,
    { ...scope, id, optedOut },
  )
}

/** A contact's own decision about campaigns. */
export interface Decision {
  readonly contactId: string
  readonly optedOut: boolean
  readonly at: Date
}

/** Writes the decisions of contacts, unless there is a later one. At most one decision for each contact. */
export async function writeDecisions(trx: Db, decisions: readonly Decision[]): Promise<void> {
  if (decisions.length === 0) return
  await rows(
    trx,
    `with decided as (
       select c.id, d.opted_out, d.at
         from unnest(:ids::uuid[], :optedOuts::boolean[], :ats::timestamptz[]) as d(id, opted_out, at)
         join contacts c on c.id = d.id where c.opted_at is null or c.opted_at < d.at
        order by c.id for no key update of c
     )
     update contacts c set opted_out = decided.opted_out, opted_at = decided.at from decided where c.id = decided.id`,
    {
      ids: decisions.map(({ contactId }) => contactId),
      optedOuts: decisions.map(({ optedOut }) => optedOut),
      ats: decisions.map(({ at }) => at),
    },
  )
}
