/** Why a number is in its state, as its network reports it. */
export const sessionReasons = [
  'started',
  'linked',
  'stopped',
  'reconnecting',
  'connection_lost',
  'unreachable',
  'host_lost',
  'logged_out',
  'qr_expired',
  'passkey_required',
  'banned',
  'locked',
  'link_refused',
  'restricted',
  'client_outdated',
  'replaced',
  'unknown',
] as const
export type SessionReason = (typeof sessionReasons)[number]

/** Why the service itself moved a number. */
const serviceReasons = [
  'created',
  'reconnect',
  'retry',
  'start_failed',
  'no_acks',
  'instance_down',
  'no_product',
  'deactivated',
] as const

/** Every reason of a change of a number's state. */
export const numberReasons = [...sessionReasons, ...serviceReasons] as const
export type NumberReason = (typeof numberReasons)[number]

/** What each reason means and what to do about it, for people. */
export const numberReasonSentences: Readonly<Record<NumberReason, string>> = {
  started: 'The number was started.',
  linked: 'The number was linked to a phone.',
  stopped: 'The number was stopped. Start it to use it again.',
  reconnecting: 'The connection is being made again. This takes a few seconds.',
  connection_lost: 'The connection to the network was lost. It is retried by itself; check that the phone is online.',
  unreachable:
    'The network cannot be reached from the host of the number. Check the proxy of the number and the connection of ' +
    'the host; it is retried by itself.',
  host_lost: 'The host of the number stopped. Another one takes the number over by itself.',
  logged_out: 'The link was ended, by a logout or on the phone. Scan the QR to link the number again.',
  qr_expired: 'No QR was scanned in time. Start the number to get a new one.',
  passkey_required:
    'The network wants a passkey before it links this account. Complete the passkey where the link is made, or ' +
    'link through a host that supports passkeys.',
  banned: 'The network has banned this account. Appeal in the app on the phone, or link another phone.',
  locked:
    'The network has locked this account. Open the app on the phone and follow what it says, then start the number.',
  link_refused:
    'The network ended every link of this account: it was logged out of its phone, moved to a new phone, or was ' +
    'banned. Open the app on the phone. If it works there, start the number and link it again.',
  restricted:
    'The network restricts this account for a while. It is retried when the restriction ends; send less until then.',
  client_outdated:
    'The network no longer accepts this version of the driver. Ask the operator to renew it ' +
    '(msgctl-server gateway web-version --fetch) or to update the service.',
  replaced: 'The link of this number is used somewhere else. End the other one, then start the number.',
  unknown: 'The network gave no reason. Start the number again, and ask the operator if it does not come back.',
  created: 'The number was added.',
  reconnect: 'A person reconnected the number.',
  retry: 'The connection is retried.',
  start_failed: 'The network could not start the number. It is retried by itself.',
  no_acks: 'The network acknowledged nothing that the number sent. Check the phone, then reconnect the number.',
  instance_down: 'The host of the number does not respond. The number comes back by itself.',
  no_product: 'The organization has no active product, so the number was stopped.',
  deactivated: 'The organization is deactivated, so the number was stopped.',
}
