import type { CampaignsGetOutput } from '@msgctl/client'
import { Download, Pause, Play } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { t } from '../words/index.ts'
import { saveFailedForNew, saveResults } from './results.ts'

/** What can be done to a campaign in its present state. */
export function CampaignActions({ campaign }: { readonly campaign: CampaignsGetOutput }) {
  const { id, name, status, stats } = campaign
  const { route } = useLocation()
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null)
  const words = t.campaign
  const stale = ['campaigns', 'campaign', 'queue']
  const send = useAction(() => api.campaigns.send({ id }), { stale })
  const pause = useAction(() => api.campaigns.pause({ id }), { stale })
  const resume = useAction(() => api.campaigns.resume({ id }), { stale })
  const cancel = useAction(() => api.campaigns.cancel({ id }), { stale })
  const remove = useAction(
    async () => {
      await api.campaigns.delete({ id })
      route(pagePath('campaigns'))
    },
    { stale: ['campaigns'] },
  )
  const save = useAction(() => saveResults(campaign))
  const retry = useAction(async () => {
    await saveFailedForNew(campaign)
    route(pagePath('campaigns/new'))
  })
  const hasEnded = status === 'completed' || status === 'cancelled'
  const close = () => setAsking(null)
  return (
    <>
      <button type="button" class="btn" disabled={save.busy} onClick={() => save.run()}>
        <Download size={15} aria-hidden />
        {words.results}
      </button>
      {hasEnded && stats.failed > 0 ? <Button action={retry} label={words.retryFailed} /> : null}
      {status === 'sending' || status === 'paused' || status === 'scheduled' ? (
        <Button kind="danger" onClick={() => setAsking('cancel')} label={words.cancel} />
      ) : (
        <Button kind="danger" onClick={() => setAsking('delete')} label={words.delete} />
      )}
      {status === 'draft' || status === 'scheduled' ? (
        <button type="button" class="btn primary" disabled={send.busy} onClick={() => send.run()}>
          <Play size={15} aria-hidden />
          {words.sendNow}
        </button>
      ) : null}
      {status === 'sending' ? (
        <button type="button" class="btn primary" disabled={pause.busy} onClick={() => pause.run()}>
          <Pause size={15} aria-hidden />
          {words.pause}
        </button>
      ) : null}
      {status === 'paused' ? (
        <button type="button" class="btn primary" disabled={resume.busy} onClick={() => resume.run()}>
          <Play size={15} aria-hidden />
          {words.resume}
        </button>
      ) : null}
      {asking === 'cancel' ? (
        <Confirm title={words.cancelTitle(name)} act={words.cancel} action={cancel} onClose={close}>
          <p>{words.cancelHint}</p>
        </Confirm>
      ) : null}
      {asking === 'delete' ? (
        <Confirm title={words.deleteTitle(name)} act={words.delete} action={remove} onClose={close}>
          <p>{words.deleteHint}</p>
        </Confirm>
      ) : null}
    </>
  )
}
