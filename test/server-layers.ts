/**
 * The parts of the server, from the foundation to the entry points. A part is a file or a folder directly under the
 * server's src; the folders of bots, chats, messages, numbers and webhook are parts of their own. At run time a part may import itself
 * and every part that stands before it in this list, never one that stands after it. Every part may import the contract,
 * and the types of any other part.
 */
export const layers: readonly string[] = [
  // Foundation: no part of the service is known here.
  'errors.ts',
  'crash-points.ts',
  'secrets.ts',
  'services.ts',
  'concurrency/',
  'public-address/',
  'db/',
  'metrics/',
  // What ends process after process, and is worked on no more.
  'set-aside/',
  // The interface to the chat networks and the drivers of the real ones.
  'gateway/',
  'activity/',
  'mail/',
  // The way of a request.
  'access/',
  'idempotency/',
  'http/',
  'openapi/',
  'pages/',
  // The simulated network, one driver of the gateway.
  'simulator/',
  // Features: what numbers and messages are, then what is sent and received through them.
  'events/',
  'media/',
  // The queues of the numbers: changes of a number open, move and empty them.
  'messages/lanes/',
  // What a number may send, and what it has sent: shown with the number, applied by its queue.
  'messages/guard/',
  // Which assistant uses a number: numbers and contacts take care of it.
  'bots/records/',
  'numbers/records/',
  'numbers/send-group/',
  'numbers/connection/',
  'numbers/',
  'recipients/',
  'organizations/',
  'auth/',
  // AI clients: how they are let in, and the tools that they call.
  'oauth/',
  'messages/',
  'messages/history/',
  'messages/receipts/',
  'messages/queue/',
  'messages/waiting/',
  'messages/direct/',
  'team/',
  'account/',
  'alert/',
  'otp/',
  'campaigns/',
  'reminders/',
  'chats/records/',
  'contacts/',
  'chats/',
  // Assistants: what they know, what they say, what they sell; then conversations, which use all of it.
  'bots/texts/',
  'bots/knowledge/',
  'bots/model/',
  'bots/orders/',
  'bots/inbox/',
  'bots/conversations/',
  'bots/',
  'inbound/',
  'bots/voice/',
  'webhook/signing/',
  'webhook/configuration/',
  'webhook/delivery/',
  'webhook/',
  'mcp/',
  'overview/',
  'console/',
  'secret-keys/',
  // After every feature, whose tables it empties.
  'erasure/',
  // Moves one organization to another installation, with the rows of all features.
  'move/',
  // What a restored backup must not send again, in all features.
  'restore/',
  // Processes and programs.
  'process/',
  'check/',
  'operator/',
  'quick-start/',
  'main.ts',
]

/** Parts that only some others may import, as types too, although the layers would allow more. */
export const reserved: Readonly<Record<string, readonly string[]>> = {
  'simulator/': ['process/'],
  'webhook/': ['process/'],
  'webhook/delivery/': ['process/', 'restore/', 'webhook/', 'webhook/signing/'],
  'webhook/signing/': ['secret-keys/', 'webhook/', 'webhook/configuration/', 'webhook/delivery/'],
}

const divided = ['bots/', 'chats/', 'messages/', 'numbers/', 'webhook/']

/** The part of a file under the server's src: `messages/queue/` for `messages/queue/claim.ts`. */
export function partOf(local: string): string {
  const [first = '', second, third] = local.split('/')
  if (second === undefined) return first
  const top = `${first}/`
  return third !== undefined && divided.includes(top) ? `${top}${second}/` : top
}
