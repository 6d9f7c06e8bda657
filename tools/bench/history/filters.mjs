/** What lists of messages are filtered by. */
export const filters = [
  {},
  { type: 'otp' },
  { status: 'read' },
  { status: 'failed' },
  { status: 'queued' },
  { type: 'alert', status: 'delivered' },
  { page: 18 },
]
