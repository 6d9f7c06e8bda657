import { verbs } from '../../program.ts'
import { changeVerbs } from './changes.ts'
import { figureVerbs } from './figures.ts'
import { organizationVerbs } from './organizations.ts'

export const register = verbs(organizationVerbs, changeVerbs, figureVerbs)
