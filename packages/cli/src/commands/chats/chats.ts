import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerAck } from './ack.ts'
import { registerDownload } from './download.ts'
import { registerList } from './list.ts'
import { registerRead } from './read.ts'
import { registerReply } from './reply.ts'
import { registerShow } from './show.ts'
import { registerUnread } from './unread.ts'

export function register(chats: Command, run: Run): void {
  registerList(chats, run)
  registerShow(chats, run)
  registerDownload(chats, run)
  registerUnread(chats, run)
  registerAck(chats, run)
  registerRead(chats, run)
  registerReply(chats, run)
}
