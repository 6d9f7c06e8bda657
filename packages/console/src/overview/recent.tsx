import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { Phone } from '../ui/contact.tsx'
import { Card, Empty, Loading } from '../ui/layout.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'

const shown = 6

/** The newest messages, where no campaign is under way. */
export function RecentMessages() {
  const recent = useQuery({ queryKey: ['messages', 'recent'], queryFn: () => api.messages.list({ limit: shown }) })
  const messages = recent.data?.messages ?? []
  return (
    <Card title={t.home.recent}>
      {recent.isPending ? <Loading /> : null}
      {recent.isSuccess && messages.length === 0 ? <Empty title={t.home.noMessages} /> : null}
      <ul class="items">
        {messages.map(({ id, recipient, content, status, createdAt }) => (
          <li key={id}>
            <a class="item" href={pagePath(`messages/${id}`)}>
              <Status of={status} bare />
              <Phone of={recipient} />
              <span class="grow cut muted" dir="auto">
                {content}
              </span>
              <span class="xs muted">
                <When at={createdAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
