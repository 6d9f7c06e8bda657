import * as cast from './cast.ts'

/** The reminder of the rent. */
export const rent = {
  id: cast.reminder.id,
  clientReference: 'booking-7',
  ownerId: cast.owner.id,
  containerId: cast.support.containerId,
  label: 'Rent',
  phone: cast.jane.phone,
  message: cast.reminder.message,
  variables: { name: 'Jane' },
  sendAt: cast.reminder.sendAt,
  firstSendAt: cast.reminder.sendAt,
  repeat: 'monthly',
  status: 'scheduled',
  batchId: null,
  sendCount: 0,
  lastSentAt: null,
  lastMessageId: null,
  lastError: null,
  createdAt: '2026-11-02T15:28:20.000Z',
  updatedAt: '2026-11-02T15:28:20.000Z',
  lastMessageStatus: null,
  timeZone: 'Europe/Berlin',
} as const
