import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { t } from '../words/index.ts'
import { type Billing, countryName } from './billing-state.ts'

/** The country of the organization, which decides the currency. */
export function Country({ billing: { country, countryLocked } }: { readonly billing: Billing }) {
  const words = t.billing
  const save = useAction(({ country: next = '' }: Values) => admin.organization.update({ country: next || null }), {
    stale: ['billing', 'prices', 'organization'],
    done: t.ui.saved,
    quiet: true,
  })
  return (
    <Card title={words.country} aside={<span class="small muted">{country ? countryName(country) : null}</span>}>
      <div class="pad">
        {countryLocked ? (
          <p class="muted">{words.countryFixed}</p>
        ) : (
          <Form key={country} action={save} submit={t.ui.save} class="inline country">
            <TextField
              label={words.country}
              name="country"
              hint={words.countryHint}
              maxLength={2}
              optional
              defaultValue={country ?? ''}
              autocomplete="country"
              dir="ltr"
            />
          </Form>
        )}
      </div>
    </Card>
  )
}
