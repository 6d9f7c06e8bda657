import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { Card, Facts, Loading, Page } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'

/** What the organization may do, and how much of it is used. */
export function Limits() {
  const words = t.limitsPage
  const overview = useOverview()
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const limits = useQuery({ queryKey: ['limits'], queryFn: () => api.account.limits(), refetchInterval: 10_000 })
  if (limits.isError || me.isError)
    return (
      <Page title={t.nav.limits} narrow>
        <LoadProblem error={limits.error ?? me.error} retry={() => Promise.all([limits.refetch(), me.refetch()])} />
      </Page>
    )
  if (!limits.data || !me.data)
    return (
      <Page title={t.nav.limits} narrow>
        <Loading />
      </Page>
    )
  const { changes, texts, campaigns, otp, trial } = limits.data
  return (
    <Page title={t.nav.limits} narrow>
      {me.data.networkWarning ? (
        <p class="note held">
          <span>
            <b>{words.warning}.</b> {me.data.networkWarning}
          </span>
        </p>
      ) : null}
      <Card title={words.use}>
        <div class="pad">
          <Facts
            facts={[
              [words.products, me.data.products.map((product) => words.productNames[product]).join(', ') || t.ui.none],
              trial
                ? [words.trial, `${words.trialUsed(trial.used, trial.limit)}. ${words.trialHint(dayOf(trial.endsAt))}`]
                : null,
              [words.numbers, words.ofNumbers(overview?.numbers.length ?? 0, me.data.maxNumbers)],
              [words.changes, changes ? words.changesLeft(changes.remaining, changes.limitPerMinute) : words.noLimit],
            ]}
          />
        </div>
      </Card>
      <Card title={words.sending}>
        <div class="pad">
          <Facts
            facts={[
              [words.texts, words.perMinute(texts.perNumberPerMinute)],
              [words.campaignNumber, words.perMinute(campaigns.perNumberPerMinute)],
              [words.campaignOrganization, words.perMinute(campaigns.perOrganizationPerMinute)],
              [words.spacing, words.seconds(campaigns.minSpacingSeconds, campaigns.maxSpacingSeconds)],
              [words.codes, words.perMinute(otp.perOrganizationPerMinute)],
            ]}
          />
        </div>
      </Card>
    </Page>
  )
}
