import { verbs } from '../../program.ts'
import { deleteVerb } from './delete.ts'
import { passwordVerbs } from './password.ts'
import { sessionsVerbs } from './sessions.ts'
import { twoFactorVerbs } from './two-factor.ts'
import { verifyVerb } from './verify.ts'

export const register = verbs(passwordVerbs, verifyVerb, sessionsVerbs, twoFactorVerbs, deleteVerb)
