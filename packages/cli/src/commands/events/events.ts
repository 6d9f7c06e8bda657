import { verbs } from '../../program.ts'
import { listVerb } from './list.ts'
import { replayVerb } from './replay.ts'
import { tailVerb } from './tail.ts'

export const register = verbs(tailVerb('tail', 'msgctl events tail'), listVerb, replayVerb('msgctl events replay'))
