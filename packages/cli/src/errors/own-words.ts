/** The words of the command line for fields of the API. */
const words: Readonly<Record<string, string>> = {
  imageUrl: 'file',
  videoUrl: 'file',
  audioUrl: 'file',
  fileUrl: 'file',
  webhookUrl: 'url',
  pictureUrl: '--picture',
  options: 'answers',
  containerId: 'number',
  clientReference: '--reference',
  scheduledAt: '--at',
  sendAt: '--at',
  timeZone: '--time-zone',
  extraNumbers: '--extra-numbers',
  endsAt: 'end',
}

/**
 * The commands for the routes that messages of the service name. A test holds them against the messages and the
 * program.
 */
export const routeCommands: Readonly<Record<string, string>> = {
  'PUT /bots/:botId': 'msgctl bots edit',
  'POST /bots/:botId/pause': 'msgctl bots pause',
  'POST /session/:containerId/release': 'msgctl numbers release',
  'POST /session/start': 'msgctl numbers start',
  'POST /session/logout': 'msgctl numbers logout',
  'PUT /session/send-group': 'msgctl numbers group',
  'POST /bulk/campaigns/:id/pause': 'msgctl campaigns pause',
  'POST /team/leave': 'msgctl team leave',
}

/** Phrases that are about a field of a body, which msgctl fills by an option. */
export const fieldPhrases: Readonly<Record<string, string>> = {
  'set strictVariables to false': 'pass --allow-missing',
  'with deleteAccount': 'with --account',
}

/** Returns a message of the service with the commands and options of msgctl in place of its routes and fields. */
export function inOwnWords(message: string): string {
  const named = message
    .replace(/\b(?:GET|POST|PUT|DELETE) \/[\w/:-]+/g, (route) => routeCommands[route] ?? route)
    .replace(/^[a-z]\w*\b/i, (field) => (Object.hasOwn(words, field) ? (words[field] ?? field) : field))
  return Object.entries(fieldPhrases).reduce((text, [phrase, own]) => text.replace(phrase, own), named)
}
