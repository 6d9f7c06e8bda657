/**
 * What each place of the server may import. A place is a file or folder directly under its src; the drivers of the
 * gateway are places of their own. An entry names a place, or one file of it; `type` allows its types only. Every place
 * may import the contract, and everything within itself.
 */
export type Edges = Readonly<Record<string, readonly string[]>>

/** What every feature stands on. Events are written by any feature; nobody but the lists imports the webhook. */
const ground = [
  'activity/',
  'crash-points.ts',
  'db/',
  'errors.ts',
  'events/',
  'type http/handler.ts',
  'type services.ts',
]

/** The foundations, which know nothing of what stands on them. */
const foundations: Edges = {
  'background-loop.ts': [],
  'config.ts': ['crash-points.ts', 'public-address/', 'secrets.ts'],
  'crash-points.ts': [],
  'db/': [],
  'errors.ts': [],
  'log.ts': [],
  'patience.ts': [],
  'public-address/': [],
  'secrets.ts': [],
  'stop-signals.ts': [],
  'metrics/': ['db/', 'type services.ts'],
  'services.ts': ['type config.ts', 'type db/', 'type gateway/', 'type media/', 'type metrics/', 'type secrets.ts'],
  'activity/': ['db/', 'type http/handler.ts'],
  'events/': ['background-loop.ts', 'db/', 'errors.ts', 'http/store.ts', 'type http/handler.ts', 'type services.ts'],
  'gateway/': ['errors.ts'],
  'gateway/simulator/': [
    'db/',
    'errors.ts',
    'gateway/',
    'http/body.ts',
    'http/issues.ts',
    'http/parse.ts',
    'type services.ts',
  ],
  'http/': ['db/', 'errors.ts', 'type services.ts'],
}

/**
 * The features in their order: the senders, then messages, then numbers, then the gateway. A resource of the contract
 * may have its row before it has its folder.
 */
const features: Edges = {
  'account/': [...ground, 'http/credential.ts', 'numbers/'],
  'alert/': [...ground, 'gateway/', 'media/', 'messages/', 'numbers/', 'public-address/'],
  'auth/': [...ground, 'http/credential.ts', 'organizations/'],
  'campaigns/': [...ground, 'messages/', 'numbers/', 'organizations/standing-store.ts'],
  'chats/': [...ground, 'contacts/', 'messages/search.ts', 'numbers/'],
  'contacts/': [...ground, 'gateway/', 'messages/search.ts', 'numbers/'],
  // What the network tells of people and conversations, whoever they are with.
  'inbound/': [...ground, 'chats/', 'contacts/', 'gateway/', 'messages/label.ts'],
  // Files that messages carry: fetched from strangers, recognized, kept for the while.
  'media/': ['db/', 'errors.ts', 'public-address/', 'type gateway/', 'type services.ts'],
  // A message is stored together with the Idempotency-Key of its request.
  'messages/': [...ground, 'background-loop.ts', 'gateway/', 'http/key-store.ts', 'numbers/', 'patience.ts'],
  // Numbers have keys of their own, made as the account's are.
  'numbers/': [...ground, 'account/key.ts', 'background-loop.ts', 'gateway/', 'media/'],
  'openapi/': ['type http/handler.ts'],
  'organizations/': [...ground, 'account/key.ts', 'auth/', 'config.ts', 'database.ts', 'numbers/'],
  'otp/': [...ground, 'http/key-store.ts', 'messages/', 'numbers/'],
  'recipients/': [...ground, 'numbers/'],
  'reminders/': [...ground, 'messages/', 'numbers/', 'organizations/standing-store.ts'],
  'secret-keys/': ['db/', 'organizations/', 'otp/', 'secrets.ts', 'webhook/reseal.ts'],
  'webhook/': [...ground, 'background-loop.ts', 'public-address/', 'secrets.ts'],
}
const anyFeature = [...Object.keys(features), 'events/']

/** What joins the parts to a process. */
const joints: Edges = {
  'app.ts': ['http/', 'openapi/page.ts', 'type services.ts'],
  'database.ts': ['config.ts', 'db/', 'secrets.ts'],
  'gateway-events.ts': [...anyFeature, 'crash-points.ts', 'gateway/clean.ts', 'type gateway/', 'type services.ts'],
  'handlers.ts': [...anyFeature.map((place) => `${place}routes.ts`), 'type http/handler.ts'],
  'jobs.ts': [...anyFeature, 'db/migrations/', 'http/key-store.ts', 'type services.ts'],
  'main.ts': [
    'config.ts',
    'database.ts',
    'db/',
    'organizations/commands.ts',
    'quick-start/',
    'secret-keys/commands.ts',
    'start.ts',
    'stop-signals.ts',
  ],
  'quick-start/': ['account/', 'auth/', 'db/', 'numbers/', 'organizations/', 'type services.ts', 'type start.ts'],
  'start-services.ts': [
    'db/',
    'gateway/simulator/',
    'log.ts',
    'media/',
    'metrics/meters.ts',
    'secrets.ts',
    'type config.ts',
    'type services.ts',
  ],
  'start.ts': [
    'app.ts',
    'config.ts',
    'crash-points.ts',
    'database.ts',
    'gateway/simulator/',
    'handlers.ts',
    'metrics/figures.ts',
    'patience.ts',
    'start-services.ts',
    'worker.ts',
  ],
  'worker.ts': [...anyFeature, 'gateway-events.ts', 'jobs.ts', 'patience.ts', 'type services.ts'],
}

/** All of them. A place that is missing here may not exist. */
export const serverEdges: Edges = { ...foundations, ...features, ...joints }

/** The place of a file under the server's src. */
export function placeOf(local: string): string {
  const segments = local.split('/')
  if (segments.length === 1) return local
  const driver = segments[0] === 'gateway' && segments.length > 2
  return `${segments.slice(0, driver ? 2 : 1).join('/')}/`
}
