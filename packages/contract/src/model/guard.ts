/**
 * The rules that hold messages back so that the network does not restrict a number, each with its meaning. The
 * network's own limits come first.
 */
export const guardRules = {
  time_lock: 'The network lets this number begin no conversations until then.',
  network_quota: 'The network lets this number begin no more conversations in the present period.',
  off_network: 'Too many of the last recipients of this number are not on the network. Its campaigns are paused.',
  conversations: 'This number has begun as many conversations in the last 24 hours as its age allows.',
  hour: 'This number has sent as many messages in the last hour as its age allows.',
  day: 'This number has sent as many messages in the last 24 hours as its age allows.',
  quiet_hours: 'It is between 22:00 and 8:00 in the country of the recipient.',
} as const
export type GuardRule = keyof typeof guardRules

/** The names of all rules. */
export const guardRuleNames = Object.keys(guardRules) as [GuardRule, ...GuardRule[]]
