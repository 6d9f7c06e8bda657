import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { type Offer, placesFor } from '../routes.ts'
import { useFeature } from '../session/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'

/** From this length on, a text also searches records. */
const leastLength = 3
const shownOfEach = 5

interface Hit {
  readonly group: string
  readonly text: string
  readonly detail?: string
  readonly path: string
}

async function searchRecords(search: string, hasInbox: boolean, hasCampaigns: boolean): Promise<Hit[]> {
  const wanted = search.toLowerCase()
  const [messages, contacts, campaigns, numbers] = await Promise.all([
    api.messages.list({ search, limit: shownOfEach }),
    api.contacts.search({ search, limit: shownOfEach }).catch(() => ({ contacts: [] })),
    hasCampaigns ? api.campaigns.list() : { campaigns: [] },
    api.numbers.list(),
  ])
  return [
    ...contacts.contacts.flatMap(({ name, phone, lid }) => {
      const address = phone ?? lid
      if (address === null) return []
      const path = hasInbox ? `inbox/${encodeURIComponent(address)}` : `messages?search=${encodeURIComponent(address)}`
      return [{ group: t.find.contacts, text: name ?? phoneText(address), detail: phoneText(address), path }]
    }),
    ...campaigns.campaigns
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(-shownOfEach)
      .map(({ id, name }) => ({ group: t.find.campaigns, text: name, path: `campaigns/${id}` })),
    ...numbers.sessions
      .filter(({ label, phoneNumber }) => label.toLowerCase().includes(wanted) || phoneNumber?.includes(wanted))
      .map(({ id, label }) => ({ group: t.find.numbers, text: label, path: `numbers/${id}` })),
    ...messages.messages.map(({ id, content, recipient }) => ({
      group: t.find.messages,
      text: content,
      detail: phoneText(recipient),
      path: `messages/${id}`,
    })),
  ]
}

function useHits(text: string, offer: Offer): readonly Hit[] {
  const hasInbox = useFeature('inbox')
  const hasCampaigns = useFeature('campaigns')
  const search = text.trim()
  const records = useQuery({
    queryKey: ['find', search],
    enabled: search.length >= leastLength,
    placeholderData: keepPreviousData,
    queryFn: () => searchRecords(search, hasInbox, hasCampaigns),
  })
  const pages = placesFor(offer)
    .flatMap(([, places]) => places)
    .filter(({ name }) => t.nav[name].toLowerCase().includes(search.toLowerCase()))
    .slice(0, search ? shownOfEach : undefined)
    .map(({ name, path }) => ({ group: t.find.pages, text: t.nav[name], path }))
  return search.length >= leastLength ? [...pages, ...(records.data ?? [])] : pages
}

interface FindProps {
  readonly offer: Offer
  readonly onClose: () => void
}

/** Finds pages, and from three letters on also records. The keyboard suffices. */
export function Find({ offer, onClose }: FindProps) {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const hits = useHits(text, offer)
  const current = Math.min(chosen, Math.max(0, hits.length - 1))
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [current])
  function go(hit: Hit | undefined): void {
    if (!hit) return
    onClose()
    route(pagePath(hit.path))
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + hits.length) % Math.max(1, hits.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(hits[current])
    }
  }
  return (
    <Dialog title={t.find.title} onClose={onClose}>
      <div class="find-box">
        <input
          class="input"
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls="hits"
          aria-activedescendant={hits.length > 0 ? `hit-${current}` : undefined}
          aria-label={t.shell.find}
          placeholder={t.shell.find}
          value={text}
          autofocus
          dir="auto"
          onInput={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={press}
        />
        <div id="hits" ref={list} class="hits" role="listbox" aria-label={t.find.title} tabIndex={-1}>
          {hits.map((hit, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard.
            <div
              key={`${hit.path}`}
              id={`hit-${index}`}
              class="hit"
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              onMouseMove={() => setChosen(index)}
              onClick={() => go(hit)}
            >
              <span class="hit-group xs muted">{hit.group}</span>
              <span class="cut grow" dir="auto">
                {hit.text}
              </span>
              {hit.detail ? <span class="small muted num">{hit.detail}</span> : null}
            </div>
          ))}
        </div>
        <p class="hint">{hits.length === 0 ? t.find.nothing : t.find.hint}</p>
      </div>
    </Dialog>
  )
}
