/** The facts of each kind of mail. */
export interface MailFacts {
  readonly verify: { readonly name: string; readonly link: string }
  readonly reset: { readonly name: string; readonly link: string; readonly ip: string }
  readonly invite: {
    readonly organization: string
    readonly inviter: string
    readonly role: string
    readonly link: string
  }
  readonly password_changed: { readonly name: string }
  readonly two_factor_on: { readonly name: string }
  readonly two_factor_off: { readonly name: string; readonly byOperator: boolean }
  readonly signed_in_new_device: { readonly name: string; readonly client: string | null; readonly ip: string }
  readonly ai_client_connected: { readonly name: string; readonly client: string }
  readonly owner_changed: { readonly organization: string; readonly owner: string }
  readonly organization_deleted: { readonly organization: string }
  readonly payment_receipt: {
    readonly organization: string
    readonly number: string
    readonly total: string
    readonly lines: readonly string[]
    readonly link: string
  }
  readonly payment_failed: {
    readonly organization: string
    readonly total: string
    /** Whether the card was not declined: the person must confirm the payment. */
    readonly confirm: boolean
    /** The day until which products continue. */
    readonly until: string | null
    readonly link: string
  }
  readonly subscription_ended: {
    readonly organization: string
    readonly products: string
    /** Whether it ended because it was not paid. */
    readonly unpaid: boolean
    readonly link: string
  }
  readonly trial_ending: { readonly organization: string; readonly day: string; readonly link: string }
  readonly trial_ended: { readonly organization: string; readonly day: string; readonly link: string }
}
export type MailKind = keyof MailFacts

/** The subject and the text of a mail. */
export interface MailText {
  readonly subject: string
  readonly text: string
}

const longestName = 60

/**
 * Returns a name that is safe in a mail: one line of up to 60 characters in which no mail program finds a link, so that
 * an invitation cannot carry advertising.
 */
function toMailName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
  const plain = line.replace(/[.:/@\\]+(?=\S)/g, ' ').replace(/[<>]/g, '')
  return [...plain.trim()].slice(0, longestName).join('')
}

const warning = 'If this was not you, change your password now, and write to the operator of the service.'

type Writers = { readonly [K in MailKind]: (facts: MailFacts[K], service: string) => MailText }

const writers: Writers = {
  verify: ({ name, link }, service) => ({
    subject: `Confirm your e-mail address for ${service}`,
    text: `Hello ${toMailName(name)},\n\nopen this link within 24 hours to confirm your address:\n\n${link}\n`,
  }),
  reset: ({ name, link, ip }, service) => ({
    subject: `Set a new password for ${service}`,
    text: [
      `Hello ${toMailName(name)},`,
      `a new password for this address was requested from ${ip}. Open this link within 60 minutes to set it:`,
      link,
      'If you did not request it, ignore this mail. Your password stays as it is.\n',
    ].join('\n\n'),
  }),
  invite: ({ organization, inviter, role, link }, service) => ({
    subject: `Invitation to ${toMailName(organization)} on ${service}`,
    text: [
      `${toMailName(inviter)} invited you to join ${toMailName(organization)} as ${role}. Open this link ` +
        'within 7 days:',
      link,
      'If you do not know the sender, ignore this mail.\n',
    ].join('\n\n'),
  }),
  password_changed: ({ name }, service) => ({
    subject: `Your password for ${service} was changed`,
    text:
      `Hello ${toMailName(name)},\n\n` +
      `your password was changed, and your other sessions and your AI connections were ended. ${warning}\n`,
  }),
  two_factor_on: ({ name }, service) => ({
    subject: `Two-step sign-in for ${service} is on`,
    text:
      `Hello ${toMailName(name)},\n\n` +
      'two-step sign-in was turned on for your account, and your other sessions and your AI connections were ' +
      `ended. ${warning}\n`,
  }),
  two_factor_off: ({ name, byOperator }, service) => ({
    subject: `Two-step sign-in for ${service} is off`,
    text: `Hello ${toMailName(name)},\n\ntwo-step sign-in was turned off ${
      byOperator
        ? 'by the operator of the service, and your sessions and your AI connections were ended'
        : 'for your account'
    }. ${warning}\n`,
  }),
  signed_in_new_device: ({ name, client, ip }, service) => ({
    subject: `New sign-in to ${service}`,
    text:
      `Hello ${toMailName(name)},\n\n` +
      `your account was signed in from ${client ?? 'an unknown program'} at ${ip}. ${warning}\n`,
  }),
  ai_client_connected: ({ name, client }, service) => ({
    subject: `An AI client was connected to ${service}`,
    text:
      `Hello ${toMailName(name)},\n\n` +
      `the AI client ${toMailName(client)} was connected to your account. You can end its connection at any ` +
      `time. ${warning}\n`,
  }),
  owner_changed: ({ organization, owner }, service) => ({
    subject: `${toMailName(organization)} on ${service} has a new owner`,
    text: `The owner of ${toMailName(organization)} is now ${toMailName(owner)}. ${warning}\n`,
  }),
  organization_deleted: ({ organization }, service) => ({
    subject: `${toMailName(organization)} on ${service} was deleted`,
    text:
      `${toMailName(organization)} was deleted by its owner. Its data is erased in 7 days. Until then, the ` +
      `operator of the service can restore it.\n`,
  }),
  payment_receipt: ({ organization, number, total, lines, link }, service) => ({
    subject: `Receipt for ${toMailName(organization)} on ${service}: ${total}`,
    text: [
      `Thank you for the payment of ${total} for ${toMailName(organization)} (invoice ${number}).`,
      lines.join('\n'),
      `All invoices and their receipts:\n\n${link}\n`,
    ].join('\n\n'),
  }),
  payment_failed: ({ organization, total, confirm, until, link }, service) => ({
    subject: `A payment for ${toMailName(organization)} on ${service} failed`,
    text: [
      confirm
        ? `The payment of ${total} for ${toMailName(organization)} must be confirmed by you.`
        : `The card was declined for the payment of ${total} for ${toMailName(organization)}.`,
      ...(until === null ? [] : [`Your products continue until ${until}. Nothing is deleted after that.`]),
      `Open this page to pay:\n\n${link}\n`,
    ].join('\n\n'),
  }),
  subscription_ended: ({ organization, products, unpaid, link }, service) => ({
    subject: `The plan of ${toMailName(organization)} on ${service} has ended`,
    text: [
      unpaid
        ? `The plan of ${toMailName(organization)} is paused because its invoice was not paid: ${products}.`
        : `The plan of ${toMailName(organization)} has ended: ${products}.`,
      'Nothing was deleted. To continue, choose and pay here:',
      `${link}\n`,
    ].join('\n\n'),
  }),
  trial_ending: ({ organization, day, link }, service) => ({
    subject: `The free trial of ${toMailName(organization)} on ${service} ends on ${day}`,
    text:
      `The free trial of ${toMailName(organization)} ends on ${day}. After that its products pause until they are ` +
      `paid; nothing is deleted. Choose products here:\n\n${link}\n`,
  }),
  trial_ended: ({ organization, link }, service) => ({
    subject: `The free trial of ${toMailName(organization)} on ${service} has ended`,
    text:
      `The free trial of ${toMailName(organization)} has ended, and its products are paused. Nothing was deleted. ` +
      `Choose products here:\n\n${link}\n`,
  }),
}

/** Returns the subject and the text of a mail. */
export function writeMail<K extends MailKind>(kind: K, facts: MailFacts[K], service: string): MailText {
  return writers[kind](facts, service)
}
