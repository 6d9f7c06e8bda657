import { verbs } from '../../program.ts'
import { countVerb } from './count.ts'
import { listVerb } from './list.ts'
import { optOutVerbs } from './opt-out.ts'
import { searchVerb } from './search.ts'
import { syncVerb } from './sync.ts'
import { wordsVerb } from './words.ts'

export const register = verbs(searchVerb, listVerb, countVerb, syncVerb, optOutVerbs, wordsVerb)
