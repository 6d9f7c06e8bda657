import type { CampaignRecipient, CampaignsGetOutput } from '@msgctl/client'
import { type MessageErrorCode, messageErrorCodes } from '@msgctl/contract/states'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'

const pageSize = 50
const statuses = ['pending', 'queued', 'sent', 'delivered', 'read', 'failed'] as const

/** Returns the reason that the address names, if there is one. */
function toErrorCode(text: string | undefined): MessageErrorCode | undefined {
  return (Object.keys(messageErrorCodes) as MessageErrorCode[]).find((code) => code === text)
}

/** The recipients of a campaign, by state and by why they failed. */
export function Recipients({ campaign: { id } }: { readonly campaign: CampaignsGetOutput }) {
  const { query, route, path } = useLocation()
  const errorCode = toErrorCode(query.reason)
  const [status, setStatus] = useState<'' | (typeof statuses)[number]>('')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const list = useQuery({
    queryKey: ['campaign', id, 'recipients', status, errorCode, search, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.campaigns.recipients({
        id,
        page,
        limit: pageSize,
        ...(status ? { status } : {}),
        ...(errorCode ? { errorCode } : {}),
        ...(search ? { search } : {}),
      }),
  })
  return (
    <Card
      title={t.campaign.people}
      aside={
        <span class="row wrap">
          <Filters
            label={t.campaigns.state}
            value={status}
            options={[['', t.ui.all], ...statuses.map((each) => [each, t.status[each]] as const)]}
            onChange={(value) => {
              setStatus(value)
              setPage(1)
            }}
          />
          <input
            class="input search"
            type="search"
            inputMode="tel"
            aria-label={t.campaign.searchPeople}
            placeholder={t.campaign.searchPeople}
            value={search}
            onInput={(event) => {
              setSearch(event.currentTarget.value)
              setPage(1)
            }}
          />
        </span>
      }
    >
      {errorCode ? (
        <p class="pad row wrap small">
          <span class="grow">{t.errorCodes[errorCode] ?? errorCode}</span>
          <Button onClick={() => route(path, true)} label={t.campaign.everyReason} />
        </p>
      ) : null}
      <LoadState of={list} />
      {list.data?.recipients.length === 0 ? <Empty title={t.campaign.nobody} /> : null}
      {list.data && list.data.recipients.length > 0 ? <RecipientTable recipients={list.data.recipients} /> : null}
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
    </Card>
  )
}

function RecipientTable({ recipients }: { readonly recipients: readonly CampaignRecipient[] }) {
  return (
    <Scroll label={t.campaigns.recipients}>
      <table>
        <thead>
          <tr>
            <th>{t.campaign.number}</th>
            <th>{t.campaigns.state}</th>
            <th>{t.campaign.values}</th>
            <th class="end">{t.campaign.sentAt}</th>
          </tr>
        </thead>
        <tbody>
          {recipients.map(({ phone, status, error, variables, messageId, sentAt }) => (
            <tr key={phone}>
              <td>
                {messageId ? (
                  <a class="row-link" href={pagePath(`messages/${messageId}`)}>
                    <Phone of={phone} />
                  </a>
                ) : (
                  <Phone of={phone} />
                )}
              </td>
              <td>
                <Status of={status} />
                {error ? <span class="block xs muted">{error}</span> : null}
              </td>
              <td class="wide">
                <span class="cut block muted" dir="auto">
                  {Object.values(variables).filter(Boolean).join(' · ')}
                </span>
              </td>
              <td class="end muted nowrap">
                <When at={sentAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
