import { verbs } from '../../program.ts'
import { explainVerb } from './explain.ts'
import { profileVerbs } from './profiles.ts'
import { valueVerbs } from './values.ts'

export const register = verbs(profileVerbs, explainVerb, valueVerbs)
