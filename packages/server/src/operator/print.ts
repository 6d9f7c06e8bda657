import type { CreatedOrganization } from '../organizations/create.ts'
import type { Joined } from '../organizations/members.ts'
import type { OrganizationDetails } from '../organizations/read.ts'
import type { Overview } from '../organizations/read-store.ts'
import type { ProductState } from '../organizations/store.ts'

/** Names come from strangers; whatever could steer a terminal is shown as a question mark. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?')
}

/** Rows of words under each other, the columns as wide as their widest word. */
function table(lines: readonly (readonly string[])[]): string {
  const clean = lines.map((line) => line.map(harmless))
  const widths = clean.reduce<number[]>((wide, line) => line.map((word, i) => Math.max(wide[i] ?? 0, word.length)), [])
  return clean
    .map(
      (line) =>
        `${line
          .map((word, i) => word.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** A new organization with the password and the key that are shown this once. */
export function createdText({ organizationId, name, products, trial, owner, apiKey }: CreatedOrganization): string {
  return [
    `Organization ${harmless(name)} is there${trial ? ', on its 7-day trial' : ''}.`,
    '',
    table([
      ['  Id', organizationId],
      ['  Products', products.join(', ')],
      ['  Owner', owner.email],
      ['  Password', owner.password],
      ['  Account key', apiKey],
    ]).trimEnd(),
    '',
    'Password and key are shown this once.',
    '',
  ].join('\n')
}

/** Organizations, one a line. */
export function listText(organizations: readonly Overview[]): string {
  if (organizations.length === 0) return 'There is no organization yet. Make one with msgctl-server org create.\n'
  return table([
    ['ID', 'NAME', 'OWNER', 'PRODUCTS', 'NUMBERS', 'STATE'],
    ...organizations.map((one) => [
      one.id,
      one.name,
      one.ownerEmail,
      one.products.join(',') || '-',
      String(one.numbers),
      one.deactivatedAt === null ? 'active' : 'deactivated',
    ]),
  ])
}

/** The products of an organization, each with its state. */
export function productsText(products: readonly ProductState[]): string {
  if (products.length === 0) return '  no product\n'
  return table(products.map(({ product, held, active }) => [`  ${product}`, held, active ? 'active' : 'paused']))
}

/** One organization with all that is in it. */
export function detailsText(one: OrganizationDetails): string {
  const facts = [
    ['Id', one.id],
    ['Name', one.name],
    ['State', one.deactivatedAt === null ? 'active' : `deactivated since ${one.deactivatedAt.toISOString()}`],
    ['Created', one.createdAt.toISOString()],
    ['Trial ends', one.trialEndsAt?.toISOString() ?? '-'],
    ['Extra numbers', `${one.extraNumbers}${one.extraExpiresAt ? ` until ${one.extraExpiresAt.toISOString()}` : ''}`],
    ['Account key', one.apiKeyPreview ?? '-'],
  ]
  const members = one.members.map(({ email, name, role }) => [`  ${email}`, name, role])
  const numbers = one.numbers.map(({ id, label, phoneNumber, status }) => [
    `  ${id}`,
    label,
    phoneNumber ?? '-',
    status,
  ])
  return [
    table(facts),
    `Products\n${productsText(one.products)}`,
    `Members\n${table(members)}`,
    `Numbers\n${numbers.length === 0 ? '  none\n' : table(numbers)}`,
  ].join('\n')
}

/** Somebody who joined, with the password where there is a new one. */
export function joinedText({ email, role, password }: Joined): string {
  if (password === null) return `${email} is ${role} now, and signs in with the password from before.\n`
  return `${email} is ${role} now.\n\n  Password  ${password}\n\nThe password is shown this once.\n`
}
