import type { AlertSendCode, AlertSendInput, AlertSendOutput } from '../generated/alert.ts'
import type { SendOptions } from '../prepare.ts'
import type { PlainCall } from '../types.ts'

/** The call `client.chats.reply`: a text to the person of a chat. */
export type ChatsReply = PlainCall<AlertSendInput, SendOptions, AlertSendOutput, AlertSendCode>
