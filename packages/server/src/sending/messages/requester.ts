/** Who asked for a message, where no campaign, reminder or assistant did. */
export type Requester = 'key' | 'user' | 'ai_client'

interface RequestingCaller {
  readonly kind: 'account_key' | 'number_key' | 'user'
  readonly aiClient?: object
}

/** Returns who asks, as GET /messages shows it. An AI client is one whether it has a key or a connection. */
export function requesterOf({ kind, aiClient }: RequestingCaller): Requester {
  if (aiClient) return 'ai_client'
  return kind === 'user' ? 'user' : 'key'
}
