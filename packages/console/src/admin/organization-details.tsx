import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import { countryName } from '../billing/billing-state.ts'
import { Copyable } from '../ui/copy.tsx'
import { Card, Facts } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { When } from '../ui/when.tsx'
import { dayAndTime, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { planText, productsText } from './organization-words.ts'
import '../styles/billing.css'

type Details = Awaited<ReturnType<typeof admin.platform.organization>>['organization']

/** One organization with its people and figures. Never what it writes, or to whom. */
export function OrganizationDetails({ organizationId }: { readonly organizationId: string }) {
  const found = useQuery({
    queryKey: ['admin-organization', organizationId],
    queryFn: () => admin.platform.organization({ organizationId }),
  })
  return (
    <Card
      title={found.data?.organization.name ?? t.nav.organization}
      aside={
        <a class="btn" href={pagePath('admin')}>
          {t.ui.close}
        </a>
      }
    >
      <LoadState of={found} />
      {found.data ? <Content one={found.data.organization} /> : null}
    </Card>
  )
}

function Content({ one }: { readonly one: Details }) {
  const words = t.platform
  const limit = one.numbers.included + one.numbers.extra
  const statuses = Object.entries(one.numberStatuses)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${t.status[status as keyof typeof one.numberStatuses]} ${number(count)}`)
  return (
    <>
      <div class="pad wide-facts">
        <Facts
          facts={[
            [words.details.id, <Copyable text={one.id} />],
            [words.state, words.states[one.state]],
            one.deactivatedReason ? [words.details.reason, <span dir="auto">{one.deactivatedReason}</span>] : null,
            one.country ? [words.details.country, countryName(one.country)] : null,
            [words.products, productsText(one)],
            one.trialEndsAt && one.products.some(({ state }) => state === 'trial')
              ? [words.details.trialEnds, dayAndTime(one.trialEndsAt)]
              : null,
            [words.plan, planText(one)],
            one.billing.currentPeriodEnd ? [t.billing.next, dayAndTime(one.billing.currentPeriodEnd)] : null,
            [words.numbers, t.limitsPage.ofLimit(one.numbers.used, limit > 0 ? limit : null)],
            statuses.length > 0 ? [words.details.numberStatuses, listOf(statuses)] : null,
            [words.details.messages, number(one.messagesLast30Days)],
            [words.details.ai, t.billing.dollars(number(one.ai.usedUsd), number(one.ai.limitUsd))],
            one.customerUrl
              ? [
                  words.details.customer,
                  <a href={one.customerUrl} target="_blank" rel="noreferrer">
                    {words.details.open}
                  </a>,
                ]
              : null,
          ]}
        />
      </div>
      <People people={one.people} />
    </>
  )
}

function People({ people }: Pick<Details, 'people'>) {
  return (
    <Scroll label={t.platform.details.people}>
      <table>
        <thead>
          <tr>
            <th>{t.team.name}</th>
            <th>{t.team.role}</th>
            <th>{t.team.twoFactor}</th>
            <th>{t.team.lastSeen}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ id, name, email, role, twoFactorEnabled, lastSeenAt }) => (
            <tr key={id}>
              <td>
                <b dir="auto">{name}</b>
                <span class="block small muted">{email}</span>
              </td>
              <td>{t.team.roles[role]}</td>
              <td class={twoFactorEnabled ? 'is-read' : 'muted'}>{twoFactorEnabled ? t.team.on : t.team.off}</td>
              <td class="muted nowrap">
                <When at={lastSeenAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
