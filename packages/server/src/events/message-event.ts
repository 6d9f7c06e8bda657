import type { MessageErrorCode } from '@msgctl/contract'
import type { NewEvent } from './append.ts'

/** The events that report the progress of a message. */
export type ProgressEvent = 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed'

/** The fields of a message that its events contain. */
export interface EventSubject {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string | null
  readonly numberPhone: string | null
  readonly recipient: string
  readonly type: 'alert' | 'bulk' | 'otp'
  readonly campaignId: string | null
  readonly clientReference: string | null
  /** The assistant that sent it and the conversation it belongs to; both are null for other messages. */
  readonly botId: string | null
  readonly conversationId: string | null
  readonly gatewayMessageId: string | null
  readonly error: string | null
  readonly errorCode: MessageErrorCode | null
}

/** Returns the event of one step of a message (specification, "Payload shapes"). */
export function messageEvent(event: ProgressEvent, subject: EventSubject, at: Date): NewEvent {
  const data = {
    messageId: subject.id,
    recipient: subject.recipient,
    type: subject.botId === null ? subject.type : ('bot_reply' as const),
    ...(subject.campaignId === null ? {} : { campaignId: subject.campaignId }),
    containerId: subject.containerId ?? '',
    numberPhone: subject.numberPhone,
    timestamp: at.toISOString(),
    ...(subject.clientReference === null ? {} : { clientReference: subject.clientReference }),
    ...(subject.botId === null ? {} : { botId: subject.botId }),
    ...(subject.conversationId === null ? {} : { conversationId: subject.conversationId }),
  }
  const subjectIds = { organizationId: subject.organizationId, messageId: subject.id }
  const gatewayMessageId = subject.gatewayMessageId ?? ''
  switch (event) {
    case 'message.sent':
      return { ...subjectIds, event, data: { ...data, status: 'sent', gatewayMessageId } }
    case 'message.delivered':
      return { ...subjectIds, event, data: { ...data, status: 'delivered', gatewayMessageId } }
    case 'message.read':
      return { ...subjectIds, event, data: { ...data, status: 'read', gatewayMessageId } }
    case 'message.failed':
      return {
        ...subjectIds,
        event,
        data: {
          ...data,
          status: 'failed',
          gatewayMessageId: subject.gatewayMessageId,
          error: subject.error ?? 'the message failed',
          errorCode: subject.errorCode ?? 'GATEWAY_ERROR',
        },
      }
  }
}

/** The columns of {@link EventSubject}, from `messages m left join numbers n on n.id = m.container_id`. */
export const eventSubjectColumns = `
  m.id, m.organization_id, m.container_id, n.phone_number as number_phone, m.recipient, m.type, m.campaign_id,
  m.client_reference, m.bot_id, m.conversation_id, m.gateway_message_id, m.error, m.error_code`
