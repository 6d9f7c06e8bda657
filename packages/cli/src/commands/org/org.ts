import { verbs } from '../../program.ts'
import { changeVerbs } from './change.ts'
import { listVerbs } from './list.ts'
import { ownerVerbs } from './owner.ts'

export const register = verbs(listVerbs, changeVerbs, ownerVerbs)
