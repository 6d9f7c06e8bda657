import { verbs } from '../../program.ts'
import { sendVerb } from './send.ts'
import { statsVerb } from './stats.ts'
import { verifyVerb } from './verify.ts'

export const register = verbs(sendVerb, verifyVerb, statsVerb)
