/** The statuses of a message (specification, "States and transitions"). */
export const messageStatuses = ['queued', 'sending', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** The statuses of a campaign. */
export const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** The statuses of a reminder. */
export const reminderStatuses = ['scheduled', 'processing', 'done', 'failed', 'cancelled'] as const
export type ReminderStatus = (typeof reminderStatuses)[number]

/** The connection statuses of a number; only WORKING can send. */
export const numberStatuses = ['WORKING', 'SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED', 'UNREACHABLE'] as const
export type NumberStatus = (typeof numberStatuses)[number]

/** The rank of each status; receipts only raise it. `failed` has no rank. */
export const messageRank = { queued: 0, sending: 1, sent: 2, delivered: 3, read: 4 } as const satisfies Record<
  Exclude<MessageStatus, 'failed'>,
  number
>

/** Returns whether a message in `status` has reached `goal`. A failed message has reached none. */
export function hasReached(status: MessageStatus, goal: keyof typeof messageRank): boolean {
  return status !== 'failed' && messageRank[status] >= messageRank[goal]
}

/**
 * Every `errorCode` of a failed message, with the sentence that its `error` has. Where the network gave a reason,
 * `error` has that instead. Codes of the error catalogue keep their meaning.
 */
export const messageErrorCodes = {
  NUMBER_NOT_ON_NETWORK: 'The recipient is not on the network.',
  GATEWAY_ERROR: 'The network refused the message, or reported later that it could not deliver it.',
  GATEWAY_SESSION_ERROR: 'The number was not connected, and every attempt was used up.',
  GATEWAY_UNREACHABLE: 'The network service could not be reached, and every attempt was used up.',
  UPSTREAM_TIMEOUT: 'The network did not say whether it took the message, and no receipt came in time.',
  PRODUCT_REQUIRED: 'The organization no longer has a product that can send the message.',
  MESSAGE_EXPIRED: 'The message could not be sent for 24 hours after it was due.',
  MESSAGE_EMPTY: 'The text was empty once its placeholders were filled.',
  MESSAGE_TOO_LONG: 'The text was longer than 4,096 characters once its placeholders were filled.',
  NUMBER_REMOVED: 'The number of the message was removed, and no other number could send it.',
  RECIPIENT_OPTED_OUT: 'The recipient asked not to receive campaigns.',
  CANCELLED: 'The message was cancelled before it was sent.',
  DISCARDED: 'The message was held after its number was linked to another phone, and then discarded.',
} as const
export type MessageErrorCode = keyof typeof messageErrorCodes

/**
 * The results of POST /otp/verify in the order of its checks; the first situation that applies decides (specification,
 * "One-time code"). `code` is null for success.
 */
export const otpSituations = [
  { situation: 'unknown requestId', code: 'NOT_FOUND' },
  { situation: 'a correct code was already given', code: 'OTP_ALREADY_VERIFIED' },
  { situation: 'more than 300 seconds after sending', code: 'OTP_EXPIRED' },
  { situation: 'all 3 tries used', code: 'OTP_MAX_ATTEMPTS' },
  { situation: 'wrong code', code: 'OTP_INVALID_CODE' },
  { situation: 'correct code, first time', code: null },
] as const
