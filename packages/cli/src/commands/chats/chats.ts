import { verbs } from '../../program.ts'
import { downloadVerb } from './download.ts'
import { listVerbs } from './list.ts'
import { markVerbs } from './marks.ts'
import { replyVerb } from './reply.ts'

export const register = verbs(listVerbs, downloadVerb, markVerbs, replyVerb)
