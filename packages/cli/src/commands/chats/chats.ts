import { verbs } from '../../program.ts'
import { ackVerb } from './ack.ts'
import { downloadVerb } from './download.ts'
import { listVerb } from './list.ts'
import { readVerb } from './read.ts'
import { replyVerb } from './reply.ts'
import { showVerb } from './show.ts'
import { unreadVerb } from './unread.ts'

export const register = verbs(listVerb, showVerb, downloadVerb, unreadVerb, ackVerb, readVerb, replyVerb)
