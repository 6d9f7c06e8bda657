import { verbs } from '../../program.ts'
import { inviteVerbs } from './invite.ts'
import { joinVerbs } from './join.ts'
import { listVerbs } from './list.ts'
import { membersVerbs } from './members.ts'

export const register = verbs(listVerbs, inviteVerbs, membersVerbs, joinVerbs)
