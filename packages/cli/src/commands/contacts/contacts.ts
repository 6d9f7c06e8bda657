import { verbs } from '../../program.ts'
import { listVerbs } from './list.ts'
import { optOutVerbs } from './opt-out.ts'
import { syncVerb } from './sync.ts'
import { wordsVerb } from './words.ts'

export const register = verbs(listVerbs, syncVerb, optOutVerbs, wordsVerb)
