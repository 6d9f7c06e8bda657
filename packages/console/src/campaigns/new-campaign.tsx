import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import { Audience } from './audience.tsx'
import { findPhoneColumn, recipientsOf, type Sheet, type SheetRecipient } from './columns.ts'
import { DryRun, LooksLike } from './dry-run.tsx'
import { takeStart } from './results.ts'
import { TextEditor } from './text-editor.tsx'
import '../styles/campaigns.css'

const settledMs = 500

/** Returns a value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Checks a campaign without sending, whenever the file or the text has changed. */
function usePreview(template: string, recipients: readonly SheetRecipient[]) {
  const settled = useSettled(template.trim())
  return useQuery({
    queryKey: ['preview', settled, recipients],
    // The key is compared as text: ten thousand recipients would take long.
    queryKeyHashFn: () => `preview ${settled} ${identify(recipients)}`,
    enabled: settled !== '' && recipients.length > 0,
    placeholderData: keepPreviousData,
    queryFn: () => api.campaigns.preview({ name: t.newCampaign.title, template: settled, recipients }),
  })
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function identify(value: object): number {
  const known = identities.get(value)
  if (known !== undefined) return known
  lastIdentity += 1
  identities.set(value, lastIdentity)
  return lastIdentity
}

/** One page from a file to a running campaign: all of it is seen before anything is sent. */
export function NewCampaign() {
  const { route } = useLocation()
  const [start] = useState(takeStart)
  const [sheet, setSheet] = useState<Sheet | null>(start?.sheet ?? null)
  const [phoneColumn, setPhoneColumn] = useState(0)
  const [name, setName] = useState(start?.name ?? '')
  const [template, setTemplate] = useState(start?.template ?? '')
  const [scheduledAt, setScheduledAt] = useState('')
  const [anyHour, setAnyHour] = useState(false)
  const { good, bad } = useMemo(
    () => (sheet ? recipientsOf(sheet, phoneColumn) : { good: [], bad: [] }),
    [sheet, phoneColumn],
  )
  const recipients = useMemo(() => good.slice(0, limits.campaignRecipients), [good])
  const preview = usePreview(template, recipients)
  const create = useAction(
    async (begin: boolean) => {
      const { campaign } = await api.campaigns.create({
        name: name.trim() || (sheet?.name ?? t.newCampaign.title),
        template,
        recipients,
        anyHour,
        // The preview shows what is missing, and who creates it decides.
        strictVariables: false,
        ...(scheduledAt && begin ? { scheduledAt: new Date(scheduledAt).toISOString() } : {}),
      })
      if (begin && !scheduledAt) await api.campaigns.send({ id: campaign.id })
      route(pagePath(`campaigns/${campaign.id}`))
    },
    { stale: ['campaigns', 'queue'], quiet: true },
  )
  const columns = sheet?.columns.filter((_, index) => index !== phoneColumn) ?? []
  const isReady = preview.data !== undefined && template.trim() !== '' && recipients.length > 0 && !create.busy
  const people = preview.data?.unique ?? recipients.length
  return (
    <Page title={t.newCampaign.title} back={[pagePath('campaigns'), t.nav.campaigns]}>
      <div class="columns">
        <div class="stack">
          <Card title={t.newCampaign.who}>
            <Audience
              sheet={sheet}
              phoneColumn={phoneColumn}
              bad={bad}
              tooMany={good.length > recipients.length}
              onColumn={setPhoneColumn}
              onSheet={(next) => {
                setSheet(next)
                setPhoneColumn(next ? findPhoneColumn(next.columns, next.rows) : 0)
                if (next && !name) setName(next.name.slice(0, next.name.lastIndexOf('.')) || next.name)
              }}
            />
          </Card>
          <Card title={t.newCampaign.what}>
            <TextEditor
              name={name}
              onName={setName}
              text={template}
              onText={setTemplate}
              columns={columns}
              hasFile={sheet !== null}
            />
          </Card>
          <Card title={t.newCampaign.when}>
            <div class="pad stack">
              <label class="field">
                <span>{t.newCampaign.startAt}</span>
                <input
                  class="input"
                  type="datetime-local"
                  value={scheduledAt}
                  onInput={(event) => setScheduledAt(event.currentTarget.value)}
                />
                <span class="hint">{t.newCampaign.startAtHint}</span>
              </label>
              <label class="check">
                <input
                  type="checkbox"
                  checked={anyHour}
                  onChange={(event) => setAnyHour(event.currentTarget.checked)}
                />
                <span>
                  {t.newCampaign.anyHour}
                  <span class="hint">{t.newCampaign.anyHourHint}</span>
                </span>
              </label>
              {create.failure ? <Problem failure={create.failure} /> : null}
              <div class="row wrap">
                <Button
                  kind="primary"
                  disabled={!isReady}
                  onClick={() => create.run(true)}
                  label={scheduledAt ? t.newCampaign.schedule(people) : t.newCampaign.start(people)}
                />
                <Button disabled={!isReady} onClick={() => create.run(false)} label={t.newCampaign.draft} />
              </div>
            </div>
          </Card>
        </div>
        <div class="stack beside">
          <LooksLike template={template} recipients={recipients} />
          <DryRun preview={preview.data} error={preview.error} left={bad.length} isReady={isReady} />
        </div>
      </div>
    </Page>
  )
}
