/** Every limit: the specification's table, and the bounds that our own decisions add. */
export const limits = {
  changesPerMinute: 300,
  textsPerNumberPerMinute: 60,
  campaign: { perNumberPerMinute: 20, perOrganizationPerMinute: 60, minSpacingSeconds: 3, maxSpacingSeconds: 7 },
  otp: {
    perPhone: [
      { seconds: 30, codes: 1 },
      { seconds: 600, codes: 3 },
      { seconds: 86_400, codes: 10 },
    ],
    perOrganizationPerMinute: 60,
    /** Days of GET /otp/stats (default). */
    statsDays: 7,
    validSeconds: 300,
    tries: 3,
    minLength: 4,
    maxLength: 8,
    defaultLength: 6,
  },
  trial: { days: 7, messagesPerDay: 100 },
  signIn: { attemptsPerIp: 20, windowSeconds: 900, wrongPasswords: 10, lockSeconds: 900 },
  /** Unsent rows of an organization: recipients of campaigns that never started, and reminders that were never sent. */
  unsent: { rows: 100_000, trialRows: 20_000 },
  /** People who were opted out by a list and whom no number of the organization knows. */
  optedOut: { rows: 500_000, trialRows: 20_000 },
  /** Numbers of an organization, also with products that include any number of them. */
  numbers: { rows: 10_000, trialRows: 100 },
  includedNumbers: 3,
  ownedOrganizations: 10,
  staffPhones: 10,
  bots: {
    perOrganization: 20,
    numbers: 20,
    languages: 5,
    name: 100,
    text: 1000,
    instructions: 8000,
    personWords: 50,
    personWord: 50,
    periods: 50,
    closedDays: 100,
    humanPauseMinutes: 10_080,
    answers: 500,
    questions: 10,
    question: 300,
    /** All questions of an assistant together: 5,000 of 40 characters. They are indexed in memory. */
    questionCharacters: 200_000,
    products: 500,
    productName: 100,
    productDescription: 1000,
    sku: 64,
    position: 1_000_000,
    stock: 1_000_000_000,
    quantity: 99,
    orderNote: 500,
    asked: 4096,
    turns: 200,
    /** The days that a conversation is kept after it ended, with its questions for people. */
    conversationDays: 400,
  },
  sendGroupNumbers: 20,
  message: 4096,
  caption: 1024,
  filename: 255,
  mimetype: 100,
  media: {
    bytes: 16 * 1024 * 1024,
    /** The length of so many bytes in base64. */
    base64Characters: Math.ceil((16 * 1024 * 1024) / 3) * 4,
    keptSeconds: 86_400,
    /** What an organization stores at a time. */
    storedBytes: 256 * 1024 * 1024,
    /** Of multipart/form-data, counted before a part is parsed. */
    formParts: 10,
    partHeadBytes: 8 * 1024,
  },
  attachmentBytes: 100 * 1024 * 1024,
  otpTemplate: 500,
  batchRecipients: 500,
  validatePhones: 500,
  validateRecipients: 10_000,
  campaignRecipients: 10_000,
  reminderRows: 5000,
  webhookUrl: 2000,
  phone: { min: 7, max: 64 },
  /** Characters of a text that is no number, in a response about a list. */
  invalidPhone: 100,
  phoneNumber: { min: 8, max: 20 },
  label: 255,
  clientReference: 128,
  variables: { entries: 50, key: 100, value: 1000 },
  campaignName: 255,
  numberLabel: 100,
  personName: 100,
  organizationName: 100,
  email: 254,
  password: { min: 10, max: 200 },
  linkToken: 200,
  /**
   * AI clients: requests of a credential, messages of a batch, sends of a connection, actions that wait for a person,
   * results of tools.
   */
  mcp: {
    requestsPerMinute: 120,
    batchMessages: 10,
    sendsPerMinute: 5,
    sendsPerHour: { default: 30, max: 300 },
    pendingActions: 20,
    actionSeconds: 900,
    rows: 50,
    messages: { default: 30, max: 100 },
    messageCharacters: 2000,
    answerCharacters: 60_000,
    checkedPhones: 50,
    campaignRecipients: 1000,
    callDays: 90,
    actionDays: 90,
    /** The days that a connection is listed after it ended, or could be used last. */
    connectionDays: 91,
    calls: { default: 50, max: 200 },
  },
  /** Requests to the OAuth routes of AI clients (specification, "Limits"), and what is kept for them. */
  oauth: {
    registrationsPerHour: 60,
    windowSeconds: 900,
    authorizations: 60,
    tokens: 120,
    revocations: 60,
    redirectAddresses: 10,
    clients: 10_000,
    requestSeconds: 600,
    codeSeconds: 60,
    accessSeconds: 3600,
    refreshDays: 90,
    refreshGraceSeconds: 30,
  },
  team: 50,
  sessionsPerPerson: 50,
  activity: { default: 50, max: 200 },
  activityFilter: 100,
  activityDays: 400,
  /** What is paid for, and the routes of the operator's staff. `country` is longer than a code: blanks are removed. */
  billing: {
    extraNumbers: 1000,
    country: 20,
    refreshesPerMinute: 10,
    invoices: { default: 20, max: 100 },
    /** Seconds for which a call waits while another change of the organization runs. */
    waitSeconds: 15,
    checkoutHours: 24,
    pendingHours: 23,
    signatureSeconds: 300,
    eventDays: 90,
    operationDays: 400,
    reason: 500,
    trialDays: 90,
    aiUsd: 1_000_000,
    organizations: { default: 50, max: 100 },
    activity: { default: 50, max: 100 },
  },
  /** The days in which the operator can restore a deleted organization. */
  erasureDays: 7,
  search: 100,
  searchTotal: 1000,
  chats: { default: 50, max: 200, accepted: 500 },
  thread: { default: 50, max: 500 },
  unread: { default: 100, max: 500 },
  acknowledge: 500,
  queueAhead: 10_000,
  /** The messages of one number in GET /queue. */
  queue: { default: 20, max: 100 },
  /** The span of GET /stats/hours. */
  statsDays: 31,
  /** Open streams of one organization, and the counts in one overview at most. */
  overview: { streams: 200, counted: 10_000 },
  contactSearch: { default: 10, max: 50 },
  contactCards: 10,
  contactCardName: 255,
  poll: { question: 255, minOptions: 2, maxOptions: 12, option: 100 },
  location: { name: 255, address: 500 },
  link: { title: 255, description: 1024 },
  profile: { name: 25, about: 139 },
  optOutPhones: 10_000,
  optOutWords: { words: 50, length: 50 },
  events: { default: 100, max: 500, streams: 20, keptDays: 30, heartbeatSeconds: 15 },
  secretOverlapSeconds: 86_400,
  webhookEndpoints: 10,
  /** The bytes that are kept of the body of a receiver's refusal. */
  refusalBytes: 500,
  countedDeliveries: 10_000,
  page: { default: 50, max: 100, last: 1_000_000 },
  cursor: 200,
  url: 2000,
  timeZone: 64,
  instant: 40,
  sendAtPastSeconds: 300,
  idempotencyKey: 255,
  bodyBytes: 1024 * 1024,
  bulkBodyBytes: 16 * 1024 * 1024,
  publicBodyBytes: 16 * 1024,
  bodyDepth: 32,
  /** Marks are `{`, `[`, `:` and `,` outside strings. Their number bounds the objects that parsing a body creates. */
  bodyMarks: 20_000,
  publicBodyMarks: 200,
  publicRequestsPerMinute: 300,
  /** Enough for 10,000 recipients with 50 variables, which have 106 marks each. */
  bulkListMarks: 1_200_000,
  bulkEntryMarks: 2000,
  bulkEntries: 20_000,
  /** The bound of one string in a list, as sent: each of 4,096 characters can take 12 bytes. */
  bulkTextBytes: 64 * 1024,
} as const

/**
 * Returns how many seconds `count` campaign messages take over `numbers` numbers: each takes 5 seconds on the average,
 * or longer by the limits for a number and for the organization.
 */
export function campaignSeconds(count: number, numbers: number): number {
  const { minSpacingSeconds, maxSpacingSeconds, perNumberPerMinute, perOrganizationPerMinute } = limits.campaign
  const perNumberSeconds = Math.max((minSpacingSeconds + maxSpacingSeconds) / 2, 60 / perNumberPerMinute)
  return count * Math.max(perNumberSeconds / Math.max(1, numbers), 60 / perOrganizationPerMinute)
}
