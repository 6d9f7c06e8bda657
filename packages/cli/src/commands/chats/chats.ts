import { verbs } from '../../program.ts'
import { downloadVerb } from './download.ts'
import { listVerb } from './list.ts'
import { markVerbs } from './marks.ts'
import { replyVerb } from './reply.ts'
import { showVerb } from './show.ts'

export const register = verbs(listVerb, showVerb, downloadVerb, markVerbs, replyVerb)
