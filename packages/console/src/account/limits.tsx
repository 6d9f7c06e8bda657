import type { AccountUsageOutput } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useNumbers } from '../numbers/use-numbers.ts'
import { Card, Facts, Loading, Page } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { dayOf, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'

/** What the organization may do, and how much of it is used. */
export function Limits() {
  const words = t.limitsPage
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const limits = useQuery({ queryKey: ['limits'], queryFn: () => api.account.limits() })
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => api.account.usage(), refetchInterval: 10_000 })
  if (limits.isError || me.isError || usage.isError)
    return (
      <Page title={t.nav.limits} narrow>
        <LoadProblem
          error={limits.error ?? me.error ?? usage.error}
          retry={() => Promise.all([limits.refetch(), me.refetch(), usage.refetch()])}
        />
      </Page>
    )
  if (!limits.data || !me.data || !usage.data)
    return (
      <Page title={t.nav.limits} narrow>
        <Loading />
      </Page>
    )
  const { texts, campaigns, otp } = limits.data
  const { changes, trial, numbers, streams } = usage.data
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
              [words.products, listOf(me.data.products.map((product) => words.productNames[product])) || t.ui.none],
              trial
                ? [words.trial, `${words.trialUsed(trial.used, trial.limit)}. ${words.trialHint(dayOf(trial.endsAt))}`]
                : null,
              [words.numbers, words.ofLimit(numbers.used, numbers.limit)],
              [words.consoles, words.ofLimit(streams.overview.open, streams.overview.limit)],
              [words.eventStreams, words.ofLimit(streams.events.open, streams.events.limit)],
              [words.changes, changes ? words.changesLeft(changes.remaining, changes.limitPerMinute) : words.noLimit],
            ]}
          />
        </div>
      </Card>
      <Checks use={usage.data.recipientChecks} />
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

/** How many checks whether a recipient is on the network each number has left. */
function Checks({ use: { known, numbers } }: { readonly use: AccountUsageOutput['recipientChecks'] }) {
  const words = t.limitsPage
  const labels = new Map(useNumbers().numbers.map(({ id, label }) => [id, label]))
  return (
    <Card title={words.checks} aside={<span class="small muted num">{words.known(known)}</span>}>
      {numbers.length === 0 ? null : (
        <Scroll label={words.checks}>
          <table>
            <thead>
              <tr>
                <th>{words.number}</th>
                <th class="end">{words.minuteLeft}</th>
                <th class="end">{words.dayLeft}</th>
              </tr>
            </thead>
            <tbody>
              {numbers.map(({ containerId, minuteLeft, minuteLimit, dayLeft, dayLimit }) => (
                <tr key={containerId}>
                  <td dir="auto">{labels.get(containerId) ?? containerId}</td>
                  <td class="end num">{words.ofLimit(minuteLeft, minuteLimit)}</td>
                  <td class="end num">{dayLeft === null ? words.noLimit : words.ofLimit(dayLeft, dayLimit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  )
}
