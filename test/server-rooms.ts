/**
 * The rooms of the server, from the foundation to the entry points: the folders of its src. At run time a room may
 * import itself and every room that stands before it in this list, never one that stands after it. Every room may
 * import the contract.
 */
export const rooms: readonly string[] = [
  // No part of the service is known here: database, log, metrics, mail, addresses from outside.
  'platform',
  // The members of `Services`, as types.
  'services.ts',
  // The way of a request: routes, access, idempotency, files.
  'api',
  // The interface to the chat networks, and its drivers.
  'networks',
  // The event log, its streams, and webhooks.
  'events',
  // The numbers of organizations: connection, queue, what each may send.
  'numbers',
  // What is sent: single messages, batches, codes, campaigns, reminders.
  'sending',
  // What is received, and from whom: chats, contacts, assistants.
  'conversations',
  // Organizations, members, their sign-in.
  'people',
  // What organizations pay for, and the administration of the service.
  'billing',
  // What browsers are served: the console, the pages of links, the documentation.
  'web',
  // How AI clients are let in, and the tools that they call.
  'ai-clients',
  // Erasure, moves, restored backups, rotated keys: what works on the tables of all rooms.
  'upkeep',
  // Processes and programs: they put the rooms together, and see every file.
  'process',
  'main.ts',
  // The service for tests of applications. It imports no other room: the server runs in a process of its own.
  'fixture',
]

/** Folders that only some others may import, as types too, although their room would allow more. */
export const partsOfOne: Readonly<Record<string, readonly string[]>> = {
  // The guard of /sim also keeps the pages and the control of the simulated payment provider.
  'networks/simulator/': ['process/', 'billing/payments/simulator/'],
  'events/webhook/delivery/': ['process/', 'upkeep/restore/', 'events/webhook/'],
  'events/webhook/signing/': ['upkeep/secret-keys/', 'events/webhook/'],
}

/**
 * The doors of each room: the files that other rooms import, `process` aside. The rest of a room can change without a
 * look outside. Today's doors may only go; a new one is a line here, with its reason.
 */
export const doors: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'platform/concurrency/batcher.ts',
    'platform/concurrency/polling-loop.ts',
    'platform/concurrency/rounds.ts',
    'platform/concurrency/sleeper.ts',
    'platform/concurrency/yielding.ts',
    'platform/crash-points.ts',
    'platform/db/any-row.ts',
    'platform/db/clock.ts',
    'platform/db/db.ts',
    'platform/db/identity.ts',
    'platform/db/input-rows.ts',
    'platform/db/lazily.ts',
    'platform/db/migrate.ts',
    'platform/db/moving.ts',
    'platform/db/new-id.ts',
    'platform/db/pool-quota.ts',
    'platform/db/quota-lock.ts',
    'platform/db/session.ts',
    // The types of the rows of all tables.
    'platform/db/tables.ts',
    'platform/db/time-ids.ts',
    'platform/db/wake.ts',
    'platform/db/writable.ts',
    'platform/errors.ts',
    'platform/log/cause.ts',
    'platform/log/log-events.ts',
    'platform/mail/links.ts',
    'platform/mail/queue.ts',
    'platform/mail/store.ts',
    'platform/metrics/version.ts',
    // Each room lists its periodic jobs.
    'platform/periodic-jobs.ts',
    'platform/set-aside/ordered-work.ts',
    'platform/set-aside/suspicion.ts',
    'platform/set-aside/work-store.ts',
    'platform/set-aside/work.ts',
  ],
  api: [
    'api/access/authenticate.ts',
    'api/access/authorize.ts',
    'api/access/challenge-store.ts',
    'api/access/connection-store.ts',
    'api/access/connections.ts',
    'api/access/console-cookie.ts',
    'api/access/credential-store.ts',
    'api/access/end-access.ts',
    'api/access/entitlement-store.ts',
    'api/access/key-store.ts',
    'api/access/key.ts',
    'api/access/limit-key.ts',
    'api/access/link-store.ts',
    'api/access/password.ts',
    'api/access/rate-limit.ts',
    'api/access/token-store.ts',
    'api/activity/erase-store.ts',
    'api/activity/log.ts',
    'api/http/body.ts',
    'api/http/body/scan.ts',
    'api/http/call/answer-call.ts',
    'api/http/call/call.ts',
    'api/http/call/callee.ts',
    'api/http/error-envelope.ts',
    'api/http/files/download.ts',
    'api/http/handler.ts',
    'api/http/map-error.ts',
    'api/http/mount.ts',
    'api/http/parse.ts',
    'api/http/part.ts',
    // Each room says which paths it serves outside of the contract.
    'api/http/router.ts',
    'api/http/serve.ts',
    'api/http/state.ts',
    'api/idempotency/erase-store.ts',
    'api/idempotency/hash-input.ts',
    // What stores for a handler uses the key of its request.
    'api/idempotency/idempotency.ts',
    'api/idempotency/key-store.ts',
    'api/media/format.ts',
    'api/media/media.ts',
    'api/media/name.ts',
    'api/media/ogg-opus.ts',
    'api/media/rule.ts',
    'api/media/uploads/open.ts',
  ],
  networks: [
    'networks/gateway/address.ts',
    'networks/gateway/api-failure.ts',
    'networks/gateway/clean.ts',
    'networks/gateway/inbox/store.ts',
    'networks/gateway/timeout.ts',
    'networks/gateway/waha/hosts.ts',
    'networks/simulator/control/guard.ts',
  ],
  events: [
    'events/append.ts',
    'events/message-event.ts',
    'events/own-number-store.ts',
    'events/restore-store.ts',
    'events/stream-lease-store.ts',
    'events/webhook/delivery/restore-store.ts',
    'events/webhook/signing/secret.ts',
  ],
  numbers: [
    'numbers/allowance.ts',
    'numbers/close.ts',
    'numbers/connection/hold-store.ts',
    'numbers/connection/recheck.ts',
    'numbers/connection/refused-chat.ts',
    'numbers/connection/restriction.ts',
    'numbers/guard/guard-store.ts',
    'numbers/guard/guard.ts',
    'numbers/guard/guarded-number.ts',
    'numbers/guard/quiet-hours.ts',
    'numbers/guard/watch-store.ts',
    'numbers/lanes/lane-store.ts',
    'numbers/lanes/restore-store.ts',
    'numbers/move-store.ts',
    'numbers/recipients/check-list.ts',
    'numbers/recipients/check-store.ts',
    'numbers/recipients/check-use.ts',
    'numbers/recipients/check.ts',
    'numbers/records/store.ts',
    'numbers/records/view.ts',
    'numbers/restore-store.ts',
    'numbers/send-group/candidate-store.ts',
    'numbers/send-group/failover.ts',
    'numbers/send-group/select-number.ts',
    'numbers/send-group/send-group-store.ts',
  ],
  sending: [
    'sending/campaigns/recipient-store.ts',
    'sending/campaigns/recipients.ts',
    'sending/campaigns/restored.ts',
    'sending/campaigns/store.ts',
    'sending/messages/change-store.ts',
    // How many messages an organization sent, for the staff of the platform.
    'sending/messages/history/counter-store.ts',
    'sending/messages/history/search.ts',
    'sending/messages/label.ts',
    'sending/messages/queue/enqueue.ts',
    'sending/messages/requester.ts',
    'sending/messages/template.ts',
    'sending/messages/trial.ts',
    'sending/otp/pepper.ts',
    'sending/otp/store.ts',
    'sending/reminders/restored.ts',
  ],
  conversations: [
    'conversations/bots/records/allowance-store.ts',
    'conversations/bots/records/allowance.ts',
    'conversations/contacts/erase-store.ts',
  ],
  people: [
    'people/account/store.ts',
    'people/auth/attempt-store.ts',
    'people/auth/attempts.ts',
    'people/auth/restored.ts',
    'people/auth/session-ended.ts',
    'people/auth/sessions.ts',
    'people/auth/two-factor/second-step.ts',
    'people/organizations/change.ts',
    'people/organizations/deletion-store.ts',
    'people/organizations/move-store.ts',
    // What the staff of the platform changes.
    'people/organizations/platform-admin-store.ts',
    // What is paid is written to the organization.
    'people/organizations/paid-store.ts',
    'people/organizations/refusal.ts',
    'people/organizations/store.ts',
    'people/organizations/user-store.ts',
    // The people of an organization, for the staff of the platform.
    'people/team/store.ts',
  ],
  billing: [
    // The erasure waits until the payment provider has ended the subscription.
    'billing/operations/operation-store.ts',
    // A restored database reads the payment provider first.
    'billing/restored.ts',
  ],
  web: ['web/pages/ai-links.ts'],
  'ai-clients': ['ai-clients/mcp/approvals/actions.ts'],
}

/** The room of a file under the server's src: `sending` for `sending/alert/send.ts`. */
export function roomOf(local: string): string {
  return local.split('/')[0] ?? local
}
