import { verbs } from '../../program.ts'
import { checkoutVerb } from './checkout.ts'
import { invoiceVerbs } from './invoices.ts'
import { planVerbs } from './plan.ts'
import { showVerbs } from './show.ts'
import { stopVerbs } from './stop.ts'

export const register = verbs(showVerbs, checkoutVerb, planVerbs, stopVerbs, invoiceVerbs)
