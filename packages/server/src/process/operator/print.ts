import type { NewPassword } from '#people/auth/reset-password.ts'
import type { CreatedOrganization } from '#people/organizations/create.ts'
import type { Joined } from '#people/organizations/members.ts'
import type { OrganizationDetails } from '#people/organizations/read.ts'
import type { Overview } from '#people/organizations/read-store.ts'
import type { ProductState } from '#people/organizations/store.ts'

/** Replaces control characters, which names can contain and a terminal would obey, by question marks. */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?')
}

/** Formats rows as columns, each as wide as its longest word. */
export function table(lines: readonly (readonly string[])[]): string {
  const clean = lines.map((line) => line.map(sanitize))
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

/** Formats a new organization with its password and key, which are shown this once. */
export function createdText({ organizationId, name, products, trial, owner, apiKey }: CreatedOrganization): string {
  return [
    `Created organization ${sanitize(name)}${trial ? ' on a 7-day trial' : ''}.`,
    '',
    table([
      ['  Id', organizationId],
      ['  Products', products.join(', ')],
      ['  Owner', owner.email],
      ['  Password', owner.password ?? 'as before'],
      ['  Account key', apiKey],
    ]).trimEnd(),
    '',
    owner.password === null ? 'The key is shown this once.' : 'The password and the key are shown this once.',
    '',
  ].join('\n')
}

/** Formats organizations, one per line. */
export function listText(organizations: readonly Overview[]): string {
  if (organizations.length === 0) return 'There is no organization yet. Create one with msgctl-server org create.\n'
  return table([
    ['ID', 'NAME', 'OWNER', 'PRODUCTS', 'NUMBERS', 'STATE'],
    ...organizations.map((one) => [
      one.id,
      one.name,
      one.ownerEmail ?? '-',
      one.products.join(',') || '-',
      String(one.numbers),
      wordOf(one),
    ]),
  ])
}

/** Returns the state of an organization in a word. What has moved away is neither active nor deactivated. */
function wordOf({ deletedAt, movedTo, movingAt, deactivatedAt }: Overview): string {
  if (deletedAt !== null) return 'deleted'
  if (movedTo !== null) return 'moved'
  if (movingAt !== null) return 'moving'
  return deactivatedAt === null ? 'active' : 'deactivated'
}

/** Formats the products of an organization with their states. */
export function productsText(products: readonly ProductState[]): string {
  if (products.length === 0) return '  no product\n'
  return table(products.map(({ product, held, active }) => [`  ${product}`, held, active ? 'active' : 'paused']))
}

/** Formats one organization with its products, members and numbers. */
export function detailsText(one: OrganizationDetails): string {
  const facts = [
    ['Id', one.id],
    ['Name', one.name],
    ['State', stateOf(one)],
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

/** Formats a member who was added, with the password of a new person or the link that sets it. */
export function joinedText({ email, role, password, link }: Joined & { readonly link: string | null }): string {
  if (link !== null) return `${email} is ${role} now.\n\n${linkText({ email, link })}`
  if (password === null) return `${email} is ${role} now and signs in with their existing password.\n`
  return `${email} is ${role} now.\n\n${shownOnce(password)}`
}

/** Formats the new password of a member. */
export function passwordText({ email, password, ended }: NewPassword): string {
  return `${email} has a new password. Sessions ended: ${ended}.\n\n${shownOnce(password)}`
}

function shownOnce(password: string): string {
  return `  Password  ${password}\n\nThe password is shown this once.\n`
}

function stateOf({ deletedAt, deactivatedAt, isProtected, movingAt, movedTo }: OrganizationDetails): string {
  if (deletedAt !== null) return `deleted since ${deletedAt.toISOString()}`
  if (movedTo !== null) return `moved to ${movedTo}`
  if (movingAt !== null) return `closed for a move since ${movingAt.toISOString()}`
  const state = deactivatedAt === null ? 'active' : `deactivated since ${deactivatedAt.toISOString()}`
  return isProtected ? `${state}, protected` : state
}

/** Formats a link that sets a password. */
export function linkText({ email, link }: { readonly email: string; readonly link: string }): string {
  return `  Link  ${link}\n\nIt sets the password of ${email} and works once, for 24 hours. It is shown this once.\n`
}
